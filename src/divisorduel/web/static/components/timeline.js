// The line that shows who was winning, turn by turn.

import { words } from "../words/words.js";
import { h, svg } from "./dom.js";

const HEIGHT = { 1: 12, 2: 36 };
const STEP = 20;

/** @typedef {import("../model/types.d.ts").ReviewOf} ReviewOf */

/** @param {ReviewOf} review */
function course(review) {
  const favours = [...review.turns.map((turn) => turn.favours), review.favours_end];
  return favours.map((seat, at) => [10 + at * STEP, seat ? HEIGHT[seat] : 24]);
}

/** The line alone. @param {ReviewOf} review */
export function sparkline(review) {
  const points = course(review);
  const bad = review.turns.filter((turn) => turn.mistake).map((turn) => cross(points[turn.turn - 1]));
  return svg(
    "svg",
    { class: "sparkline", viewBox: `0 0 ${points.length * STEP} 48`, preserveAspectRatio: "none", role: "img", "aria-label": words.review.course },
    svg("polyline", { class: "course", points: points.map((point) => point.join(",")).join(" ") }),
    bad,
  );
}

/** @param {number[]} point */
const cross = ([x, y]) => svg("path", { class: "bad", d: `M${x} ${y}h.01` });

/**
 * The line with a button for each turn. The turns of each player are on their side.
 * @param {ReviewOf} review @param {number} shown @param {(turn: number) => void} choose
 */
export function timeline(review, shown, choose) {
  const list = h(
    "ol",
    { class: "timeline", "aria-label": words.review.course },
    review.turns.map((turn) => h(
      "li",
      { class: turn.favours === 1 ? "one" : turn.favours === 2 ? "two" : "" },
      h("button", {
        type: "button",
        class: turn.mistake ? "wrong" : "",
        "aria-label": words.review.show(turn.turn, Boolean(turn.mistake)),
        "aria-current": turn.turn === shown ? "step" : null,
        onclick: () => choose(turn.turn),
      }, turn.mistake ? `${turn.turn}!` : String(turn.turn)),
    )),
  );
  queueMicrotask(() => {
    const current = list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
  });
  return list;
}

// Who was winning, turn by turn: as a small picture, and as buttons that open the turns.

import { words } from "../words/words.js";
import { h, svg } from "./dom.js";

const STEP = 20;
const HALF = 20;

/** @typedef {import("../model/types.d.ts").ReviewOf} ReviewOf */

const sideOf = (seat) => (seat === 1 ? "one" : seat === 2 ? "two" : "");

/** A bar for each turn, on the side of the player who was winning, and a dot at each mistake. @param {ReviewOf} review */
export function sparkline(review) {
  const favours = [...review.turns.map((turn) => turn.favours), review.favours_end];
  const bar = (seat, at) => svg("rect", { class: sideOf(seat), x: at * STEP, y: seat === 2 ? HALF : 0, width: STEP, height: seat ? HALF : 0 });
  const dot = ({ turn }) => ["ring", "bad"].map((kind) => svg("path", { class: kind, d: `M${turn * STEP} ${HALF}h.01` }));
  const width = favours.length * STEP;
  return h(
    "div",
    { class: "sparkline" },
    h("span", { class: "who", "aria-hidden": "true" }, [1, 2].map((seat) => h("span", { class: sideOf(seat) }, words.match.seatMark[seat]))),
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${2 * HALF}`, preserveAspectRatio: "none", role: "img", "aria-label": words.review.course },
      favours.map(bar),
      svg("path", { class: "middle", d: `M0 ${HALF}H${width}` }),
      review.turns.filter((turn) => turn.mistake).map(dot),
    ),
  );
}

/**
 * A button for each turn, on the side of the player who was winning.
 * @param {ReviewOf} review @param {number} shown @param {(turn: number) => void} choose
 */
export function timeline(review, shown, choose) {
  const list = h(
    "ol",
    { class: "timeline", "aria-label": words.review.course },
    review.turns.map((turn) => h(
      "li",
      { class: sideOf(turn.favours) },
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

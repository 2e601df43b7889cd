// A small board that plays the example of a rule book.

import { h, reducedMotion } from "./dom.js";

const PACE = 900;

/** @param {import("../model/types.d.ts").RuleBook} book */
export function miniature({ example: { board, round } }) {
  const { numbers } = board;
  const count = numbers.length;
  const columns = count > 20 ? 10 : count > 10 ? 5 : count > 4 ? Math.ceil(count / 2) : count;
  const offset = columns === 10 ? numbers[0] - 1 : 0;
  const cells = new Map(numbers.map((number) => [number, h("i")]));
  const element = h("span", { class: "mini", "aria-hidden": "true" }, [...cells.values()]);
  element.style.setProperty("--columns", String(Math.min(columns, 10)));
  const [first] = cells.values();
  if (offset) first.style.gridColumnStart = String(offset + 1);
  let at = reducedMotion.matches ? round.turns.length : 0;
  const show = () => {
    const done = round.turns.slice(0, at);
    const seats = new Map(done.map((turn) => [turn.number, turn.seat]));
    const gone = new Set(done.flatMap((turn) => turn.gone));
    for (const [number, cell] of cells) cell.className = seats.has(number) ? (seats.get(number) === 1 ? "one" : "two") : gone.has(number) ? "gone" : "";
  };
  show();
  const step = () => {
    at = (at + 1) % (round.turns.length + 3); // rest a little at the end
    show();
  };
  return { element, step };
}

/** Play miniatures until the returned function is called. @param {{step: () => void}[]} all */
export function animate(all) {
  if (reducedMotion.matches) return () => {};
  const timer = setInterval(() => !document.hidden && all.forEach((one) => one.step()), PACE);
  return () => clearInterval(timer);
}

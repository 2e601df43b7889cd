// What a tile looks like: its classes, its mark and its note.

import { words } from "../words/words.js";
import { write } from "./dom.js";

/** @param {HTMLElement} tile @param {number} number */
export function paint(tile, number, { turn, isLegal, isGone, state }) {
  const partner = state.partner?.get(number);
  const judged = turn ? undefined : state.judged?.get(number);
  const picked = tile.classList.contains("picked");
  const could = state.marks?.could?.includes(number);
  const classes = {
    legal: isLegal,
    one: turn?.seat === 1,
    two: turn?.seat === 2,
    taken: turn,
    gone: isGone,
    last: number === state.last,
    best: number === state.best,
    just: number === state.just,
    pending: number === state.pending,
    paired: partner && !turn,
    good: state.marks?.good?.includes(number),
    bad: number === state.marks?.bad,
    could,
    wins: judged?.wins === true,
    loses: judged?.wins === false,
    picked,
  };
  const wanted = ["tile", ...Object.entries(classes).filter(([, is]) => is).map(([name]) => name)].join(" ");
  if (tile.className !== wanted) tile.className = wanted;
  tile.setAttribute("aria-disabled", String(!(isLegal && state.canMove)));
  const [mark, , note] = tile.children;
  write(mark, turn ? words.match.seatMark[turn.seat] : words.tile.verdict(judged));
  write(note, could ? words.tile.question : turn ? String(turn.turn) : (partner?.letter ?? words.tile.nimber(judged)));
}

// The position that a match shows: the current one, an earlier one, or one that a review plays out.

/**
 * @param {import("../views/match_view.js").MatchView} matchView
 * @param {number[]} [more] numbers taken after the position on screen
 * @returns {import("./types.d.ts").Position}
 */
export function positionOf({ view, boardData, history, canMove }, more = []) {
  const shown = history.looking ?? present(view, boardData, canMove);
  if (!more.length) return shown;
  const round = history.round;
  const starter = round?.starter ?? view.starter;
  const turns = [...shown.turns];
  for (const number of more) turns.push({ number, turn: turns.length + 1, seat: turns.length % 2 ? other(starter) : starter });
  return { ...shown, turns, last: more.at(-1), current: boardData.pool ? null : more.at(-1), legal: [] };
}

/** @param {number} seat @returns {1 | 2} */
const other = (seat) => (seat === 1 ? 2 : 1);

function present(view, boardData, canMove) {
  return {
    legal: view.legal,
    playable: boardData.pool ? view.playable : null,
    turns: view.turns.map((number, at) => ({ number, turn: at + 1, seat: at % 2 ? other(view.starter) : view.starter })),
    last: view.turns.at(-1),
    current: boardData.pool ? null : view.last,
    canMove,
  };
}

// Your results against the computer, by game and level. They are kept in this browser only.

import * as storage from "./storage.js";

/** @typedef {Record<string, Record<string, {won: number, lost: number}>>} Results */

const MOST_COUNTED = 50;

/** @returns {{results: Results, counted: string[]}} */
const load = () => ({ results: {}, counted: [], ...storage.statistics() });

/** The results: by the name of the game, then by the computer's level. */
export const results = () => load().results;

/** Count a finished round, once. @param {import("./types.d.ts").Match} view @param {number[]} seats */
export function countResult(view, seats) {
  const [seat] = seats;
  const kind = view.kinds[2 - seat];
  const round = `${view.id}/${view.round}`;
  const { results: all, counted } = load();
  if (seats.length !== 1 || kind === "human" || !view.winner || counted.includes(round)) return;
  const game = view.game.nickname || view.game.title;
  const { won = 0, lost = 0 } = all[game]?.[kind] ?? {};
  const after = view.winner === seat ? { won: won + 1, lost } : { won, lost: lost + 1 };
  storage.keepStatistics({ results: { ...all, [game]: { ...all[game], [kind]: after } }, counted: [round, ...counted].slice(0, MOST_COUNTED) });
}

export const exportText = () => JSON.stringify({ results: results() }, null, 1);

/** Replace the results with exported ones. Return whether the text has any. @param {string} text */
export function importText(text) {
  try {
    const found = JSON.parse(text).results;
    const isCount = (n) => Number.isInteger(n) && n >= 0;
    const rows = Object.values(found).flatMap((levels) => Object.values(levels));
    if (!rows.every(({ won, lost }) => isCount(won) && isCount(lost))) return false;
    storage.keepStatistics({ results: found, counted: load().counted });
    return true;
  } catch {
    return false;
  }
}

// The address of an analysis: #/analysis/CODE/MOVES, with + for the spaces of the position code. It ends
// with /2 if the second player is the first to move.

import { words } from "../words/words.js";

/** @typedef {import("./types.d.ts").Seat} Seat */

/** @param {string} code @param {number[]} [moves] the numbers taken from there on @param {Seat} [first] who took the first of them */
export function addressOf(code, moves = [], first = 1) {
  const parts = [code.replaceAll(" ", "+"), ...(moves.length || first === 2 ? [moves.join("-")] : []), ...(first === 2 ? ["2"] : [])];
  return `#/analysis/${parts.join("/")}`;
}

/** Read the parts of an address. @param {string} [code] @param {string} [moves] @param {string} [first] */
export function readAddress(code = "", moves = "", first = "") {
  const numbers = moves.split("-").filter(Boolean);
  if (!numbers.every((number) => /^[0-9]{1,15}$/.test(number))) throw new Error(words.analysis.badAddress);
  return { code: decoded(code).replaceAll("+", " ").trim(), moves: numbers.map(Number), first: /** @type {Seat} */ (first === "2" ? 2 : 1) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the server says what is wrong with it
  }
}

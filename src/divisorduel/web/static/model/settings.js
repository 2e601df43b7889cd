// The settings of a new match: the last ones, the boards to choose from, and the request for the server.

import * as storage from "./storage.js";

/** @typedef {import("./types.d.ts").RuleBook} RuleBook */

const USUAL = {
  game: "juniper", opponent: "computer", level: "3", first: "1", rounds: "1", then: "alternate",
  undo: true, hints: true, listed: false, you: "", friend: "",
};

/** The last settings, or the usual ones. */
export const settings = () => ({ ...USUAL, ...storage.choices() });

/** @param {Record<string, any>} changes */
export const keepSettings = (changes) => storage.keepChoices({ ...storage.choices(), ...changes });

/** The boards of a rule book by size. @param {RuleBook} book @returns {Record<string, Record<string, any>>} */
export function boards(book) {
  const usual = Object.fromEntries(book.parameters.map(({ name, default: value }) => [name, value ?? ""]));
  const classic = { ...usual, ...book.first_board };
  const scaled = (name, by, least) => ({ ...classic, [name]: Math.max(least, Math.round(Number(classic[name]) * by)) });
  if ("number" in classic) return { small: scaled("number", 1 / 12, 12), classic, large: scaled("number", 7, 12) };
  const to = Number(classic.to);
  return { small: scaled("to", to < 50 ? 0.6 : 0.4, 6), classic, large: scaled("to", 2, 6) };
}

/** The board that was last chosen for a rule book. @param {RuleBook} book */
export function lastBoard(book) {
  const { sizes = {}, boards: custom = {} } = storage.choices();
  const size = sizes[book.key] ?? (custom[book.key] ? "custom" : "classic");
  return { size, board: size === "custom" ? { ...boards(book).classic, ...custom[book.key] } : boards(book)[size] };
}

/** The body of the request for a new match. @param {RuleBook} book @param {Record<string, any>} chosen @param {Record<string, any>} board */
export function requestFor(book, chosen, board) {
  const { opponent, level, you, friend, first, rounds, then, undo, listed } = chosen;
  const person = (who, name) => (name?.trim() ? { who, name: name.trim() } : { who });
  const players = [
    person("here", you),
    opponent === "computer" ? { who: isEngine(level) ? "bot" : "computer", kind: level } : person(opponent, opponent === "here" ? friend : ""),
  ];
  const hints = chosen.hints && (opponent !== "link" || chosen.hintsOnline === true);
  return { game: book.key, board, players, first, rounds: Number(rounds), then, undo, hints, listed: opponent === "link" && listed };
}

/** Tell whether a kind of player is an engine of the server. @param {string} kind */
export const isEngine = (kind) => kind.startsWith("bot:");

/** Tell whether a number is prime. @param {number} number */
export function isPrime(number) {
  if (!(number >= 4)) return number > 1;
  if (number % 2 === 0) return false;
  for (let factor = 3; factor * factor <= number; factor += 2) if (number % factor === 0) return false;
  return true;
}

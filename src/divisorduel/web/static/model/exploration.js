// Where a person is in an analysis: the position on screen, the moves that led to it, and its verdict.

import { words } from "../words/words.js";
import { addressOf, readAddress } from "./analysis_address.js";
import { Explorer } from "./explorer.js";
import { MoveTree } from "./move_tree.js";
import { lastBoard, settings } from "./settings.js";

const QUICK = 400; // steps in faster succession share an entry in the browser's history, in ms
const SETTLED = 120; // how long a position is on screen before it is judged

/** @typedef {import("./types.d.ts").Seat} Seat */

/** @type {Map<string, MoveTree>} by the position where they start; they outlast a visit to another view */
const trees = new Map();

export class Exploration {
  /** @param {import("./types.d.ts").RuleBook[]} books @param {(taken: number | null) => void} changed called when there is something new to show */
  constructor(books, changed) {
    this.books = books;
    this.changed = changed;
    this.explorer = new Explorer();
    this.tree = new MoveTree("");
    /** @type {number[]} the numbers taken since the start of the tree */
    this.moves = [];
    /** @type {Seat} who took the first of them */
    this.first = 1;
    /** @type {import("./types.d.ts").AnalysedPosition} */
    this.position = /** @type {any} */ (null); // until the first one is loaded
    /** @type {import("./types.d.ts").AnalysisOf | null} */
    this.analysis = null;
    this.failed = ""; // why the position could not be judged
    this.asked = 0;
    this.timer = 0;
    this.stepped = -QUICK;
    this.visiting = false;
    this.closed = false;
    /** @type {"" | "new" | "kept"} whether numbers are being marked, and whether that has an address yet */
    this.draft = "";
  }

  close() {
    this.asked = -1;
    this.closed = true;
    clearTimeout(this.timer);
  }

  get mover() {
    return this.seatOf(this.moves.length + 1);
  }

  /** The player of a turn, counted from 1. @param {number} turn @returns {Seat} */
  seatOf(turn) {
    return turn % 2 === this.first % 2 ? 1 : 2;
  }

  get board() {
    return this.explorer.boardOf(this.position);
  }

  /** Open the position of the address bar. @param {{code: string, moves: number[], first: Seat}} address */
  async visit(address) {
    this.visiting = true;
    try {
      await this.open(address);
    } finally {
      this.visiting = false;
    }
  }

  /** Open a position, or the start of the last game. @param {{code: string, moves: number[], first?: Seat}} address */
  open({ code, moves, first = this.first }) {
    if (code) return this.show(moves.length ? code : "", moves, first, () => this.explorer.position(code, moves));
    const book = this.books.find(({ key }) => key === settings().game) ?? this.books[0];
    return this.openBoard(book.key, lastBoard(book).board);
  }

  /** @param {string} game @param {Record<string, any>} board */
  openBoard(game, board) {
    return this.show("", [], 1, () => this.explorer.start(game, board));
  }

  /** Open a position of this board. @param {number[]} playable @param {number | string | null} last */
  openNumbers(playable, last) {
    const { key, board } = this.position.game;
    return this.open({ code: `${key} ${board} ${playable.join(",") || "-"} ${last ?? "-"}`, moves: [], first: this.mover });
  }

  /** Open a position code, a link to an analysis, or a record. @param {string} text */
  async openText(text) {
    if (!text.startsWith("[")) {
      const found = /#\/analysis\/([^/]*)\/?([^/]*)\/?(.*)$/.exec(text);
      return this.open(found ? readAddress(...found.slice(1)) : { code: text, moves: [], first: 1 });
    }
    const { code, lines } = await this.explorer.lines(text);
    const tree = this.treeOf(code);
    for (const line of lines) tree.add(line);
    await this.open({ code, moves: lines[0], first: 1 });
  }

  /** @param {number} number */
  take(number) {
    this.stepped = -QUICK;
    const moves = [...this.moves, number];
    return this.show(this.tree.code, moves, this.first, () => this.explorer.position(this.tree.code, moves));
  }

  /** The line one move back or forward; null if there is none. @param {number} by */
  beside(by) {
    if (by > 0) return this.tree.forward(this.moves);
    return this.moves.length ? this.moves.slice(0, -1) : null;
  }

  /** @param {number[]} moves a line of the tree */
  go(moves) {
    return this.open({ code: this.tree.code, moves });
  }

  /** Remove the last move on screen and everything after it. */
  async remove() {
    const { moves } = this;
    await this.go(moves.slice(0, -1));
    this.tree.remove(moves);
    this.changed(null);
  }

  treeOf(code) {
    const tree = trees.get(code) ?? new MoveTree(code);
    trees.set(code, tree);
    return tree;
  }

  // Show the answer, unless something else was asked for in the meantime. The tree starts at `root`, or
  // at the position itself.
  async show(root, moves, first, ask) {
    const number = ++this.asked;
    const position = await ask();
    if (number !== this.asked) return;
    const taken = moves.length > this.moves.length ? moves.at(-1) : null;
    this.tree = this.treeOf(root || position.code);
    this.tree.add(moves);
    this.moves = moves;
    this.first = first;
    this.position = position;
    this.keepAddress();
    this.judge();
    this.changed(taken);
  }

  // Each position has an address of its own, so that it can be shared and Back returns to it.
  keepAddress() {
    const address = addressOf(this.tree.code, this.moves, this.first);
    const now = performance.now();
    const replaces = this.visiting || now - this.stepped < QUICK || this.draft === "kept";
    this.stepped = now;
    if (this.draft) this.draft = "kept";
    if (location.hash !== address) history[replaces ? "replaceState" : "pushState"](null, "", address);
  }

  /** Judge the position on screen, once it has stayed there for a moment. */
  judge() {
    const { position } = this;
    const isShown = () => !this.closed && this.position === position;
    clearTimeout(this.timer);
    this.failed = "";
    this.analysis = this.explorer.analyses.get(position.code) ?? null;
    if (this.analysis) return;
    this.timer = setTimeout(async () => {
      try {
        const found = await this.explorer.analysis(position.code, isShown);
        if (isShown()) this.analysis = found;
      } catch (error) {
        if (isShown()) this.failed = error.message || words.errors.unknown;
      }
      if (isShown()) this.changed(null);
    }, SETTLED);
  }
}

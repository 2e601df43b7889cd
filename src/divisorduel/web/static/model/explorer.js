// Asks the server about positions, and keeps the answers.

import { call } from "./api.js";

/** @typedef {import("./types.d.ts").AnalysedPosition} AnalysedPosition */
/** @typedef {import("./types.d.ts").AnalysisOf} AnalysisOf */
/** @typedef {import("./types.d.ts").BoardData} BoardData */

const BUSY = ["question-pending", "server-busy"];
const PAUSE = 500; // ms before a busy server is asked again
const boardKey = ({ game }) => `${game.key} ${game.board}`;

export class Explorer {
  constructor() {
    /** @type {Map<string, AnalysedPosition>} */
    this.positions = new Map();
    /** @type {Map<string, AnalysisOf>} */
    this.analyses = new Map();
    /** @type {Map<string, BoardData>} */
    this.boards = new Map();
  }

  /** The position after some moves. @param {string} code @param {number[]} moves @returns {Promise<AnalysedPosition>} */
  async position(code, moves) {
    const key = `${code}/${moves.join("-")}`;
    const known = this.positions.get(key);
    if (known) return known;
    const board = !this.boards.has(code.split(" ", 2).join(" "));
    return this.keep(key, await call("positions", { body: { code, moves, board } }));
  }

  /** The start of a game. @param {string} game @param {Record<string, number | string>} board @returns {Promise<AnalysedPosition>} */
  async start(game, board) {
    const position = await call("positions/start", { body: { game, board } });
    return this.keep(`${position.code}/`, position);
  }

  /** @param {string} record @returns {Promise<{code: string, lines: number[][]}>} */
  lines(record) {
    return call("positions/record", { body: { record } });
  }

  keep(key, position) {
    this.positions.set(key, position);
    if (position.board) this.boards.set(boardKey(position), position.board);
    return position;
  }

  /** The board of a position that was loaded here. @param {AnalysedPosition} position @returns {BoardData} */
  boardOf(position) {
    const board = this.boards.get(boardKey(position));
    if (!board) throw new RangeError(boardKey(position));
    return board;
  }

  /** Judge a position, as long as the answer is wanted. @param {string} code @param {() => boolean} isWanted @returns {Promise<AnalysisOf | null>} */
  async analysis(code, isWanted) {
    while (isWanted()) {
      try {
        const found = await call("analysis", { body: { code } });
        this.analyses.set(code, found);
        return found;
      } catch (error) {
        if (!BUSY.includes(error.code)) throw error;
        await new Promise((done) => setTimeout(done, PAUSE));
      }
    }
    return null;
  }
}

// The analysis board: any position of any game, who wins it, and what each move is worth.

import { AnalysisAdvice, splitProof } from "../components/analysis_advice.js";
import { AnalysisKeyboard } from "../components/analysis_keyboard.js";
import { Board } from "../components/board.js";
import { h, isVisible, loadStyle, nameGame, put, showTab, wide, write } from "../components/dom.js";
import { Graph } from "../components/graph.js";
import { MessageLine } from "../components/message_line.js";
import { MoveList } from "../components/move_list.js";
import { playHere } from "../components/play_here.js";
import { PositionSetup } from "../components/position_setup.js";
import { Sheets } from "../components/sheets.js";
import { inTwoTaps } from "../components/two_taps.js";
import { VerdictStrip } from "../components/verdict_strip.js";
import { actOf } from "../model/act.js";
import { readAddress } from "../model/analysis_address.js";
import { options, ruleBooks } from "../model/api.js";
import { Exploration } from "../model/exploration.js";
import { partnersOf } from "../model/partners.js";
import { words } from "../words/words.js";
import { aboutGame, layOut } from "./analysis_layout.js";

const STYLE = new URL("../analysis.css", import.meta.url).href;
const SLOW = 2000; // after this time without an answer, the connection is slow
const texts = words.analysis;

/** @param {...string} address the parts of the address after #/analysis/ */
export async function analysis(...address) {
  const [books, choices] = await Promise.all([ruleBooks(), options(), loadStyle(STYLE)]);
  const view = new AnalysisView(books, choices);
  try {
    await view.at.visit(readAddress(...address));
  } catch (error) {
    view.leave();
    throw error;
  }
  return {
    element: view.parts.element,
    heading: view.parts.title,
    ready: () => view.message.status.focus({ preventScroll: true }),
    leave: () => view.leave(),
    follow: (...next) => view.attempt(() => view.at.visit(readAddress(...next))),
  };
}

export class AnalysisView {
  /** @param {import("../model/types.d.ts").RuleBook[]} books @param {any} choices what the server accepts */
  constructor(books, choices) {
    this.books = books;
    this.choices = choices;
    this.at = new Exploration(books, (taken) => this.keepFocus(() => this.render(taken)));
    /** @type {number | null} */
    this.pending = null;
    this.marking = false;
    /** @type {import("../model/types.d.ts").BoardData | null} */
    this.boardData = null;
    this.act = "strike";
    this.board = new Board({ numbers: [], pool: true }, () => {});
    /** @type {Graph | null} */
    this.graph = null;
    /** The changes that were asked for, one after the other. @type {Promise<void>} */
    this.changes = Promise.resolve();
    this.sheets = new Sheets();
    this.strip = new VerdictStrip();
    const done = h("button", { type: "button", onclick: () => this.mark(false) }, texts.settings.done);
    this.banner = h("div", { class: "banner", hidden: true }, h("span", {}, texts.settings.marking), done);
    this.message = new MessageLine(this.banner);
    this.advice = new AnalysisAdvice(this);
    this.setup = new PositionSetup(this);
    this.list = new MoveList((moves) => this.attempt(() => this.at.go(moves)));
    this.parts = layOut(this);
    this.keyboard = new AnalysisKeyboard(this);
    this.resized = () => this.render();
    wide.addEventListener("change", this.resized);
  }

  leave() {
    this.at.close();
    this.keyboard.close();
    wide.removeEventListener("change", this.resized);
  }

  // --- what people do

  /** Do something that the server may refuse, and say why it did. @param {() => Promise<void>} change @param {number} [number] the tile that was chosen */
  async attempt(change, number = 0) {
    const slow = setTimeout(() => this.message.warn(texts.slow, true), SLOW);
    this.message.warn("");
    const changed = this.changes.then(change); // it builds on the changes before it
    this.changes = changed.catch(() => {});
    try {
      await changed;
      if (this.message.alert.textContent === texts.slow) this.message.warn("");
    } catch (error) {
      this.message.warn(error.message);
      this.board.shake(number);
    }
    clearTimeout(slow);
    if (this.pending !== number) return;
    this.pending = null;
    this.showBoard();
  }

  /** Take a number, or mark it. @param {number} number */
  choose(number) {
    this.pending = number;
    this.showBoard();
    return this.attempt(() => (this.marking ? this.toggleMark(number) : this.at.take(number)), number);
  }

  toggleMark(number) {
    const { playable, last } = this.at.position;
    const left = playable.includes(number) ? playable.filter((one) => one !== number) : [...playable, number].sort((a, b) => a - b);
    return this.at.openNumbers(left, last === number ? null : last);
  }

  /** @param {boolean} on whether taps mark numbers */
  mark(on) {
    this.marking = on;
    this.at.draft = on ? "new" : "";
    if (on) this.sheets.close();
    this.keepFocus(() => this.render());
  }

  /** Go back or forward by a move. @param {number} by */
  step(by) {
    const moves = this.at.beside(by);
    if (moves) this.attempt(() => this.at.go(moves));
  }

  play() {
    if (this.at.position.moves) playHere(this.at.position, this.at.mover, this.choices.computers);
  }

  openMoves() {
    this.sheets.toggle("side");
    this.showBoard();
  }

  // Make a change that may hide the focused element. If it does, focus the status instead.
  keepFocus(change) {
    const focused = document.activeElement;
    const inside = focused && this.parts.element.contains(focused);
    change();
    if (inside && !isVisible(focused)) this.message.status.focus({ preventScroll: true });
  }

  // --- what they see

  /** @param {number | null} [taken] the number that was just taken */
  render(taken = null) {
    const { position, analysis, failed, mover, moves } = this.at;
    const { parts, message } = this;
    if (this.at.board !== this.boardData) this.changeBoard();
    if (!position.markable) this.marking = false;
    this.banner.hidden = !this.marking;
    this.strip.show(mover, analysis, failed !== "");
    write(message.status, failed || (analysis ? splitProof(analysis.text).said : texts.solving));
    if (taken !== null) message.speak(texts.moved(taken, texts.players[mover === 1 ? 1 : 0]));
    parts.buttons.back.setAttribute("aria-disabled", String(!this.at.beside(-1)));
    parts.buttons.forward.setAttribute("aria-disabled", String(!this.at.beside(1)));
    parts.buttons.play.setAttribute("aria-disabled", String(!position.moves));
    parts.remove.hidden = !moves.length;
    this.list.show(this.at);
    this.advice.show();
    this.setup.show();
    this.showBoard(taken);
  }

  changeBoard() {
    const { game } = this.at.position;
    const { parts } = this;
    this.boardData = this.at.board;
    this.act = actOf(this.books.find(({ key }) => key === game.key));
    this.useBoard(this.boardData);
    this.graph = null;
    nameGame(parts.heading, game);
    parts.heading.prepend(h("span", { class: "wide" }, `${texts.heading} · `));
    showTab(`${texts.title(game)} – ${words.brand}`);
    put(parts.about, aboutGame(game));
    parts.element.dataset.rules = `#/rules/${game.key}`;
    parts.element.classList.toggle("typed", !this.boardData.pool);
    parts.current.hidden = parts.entry.hidden = this.boardData.pool;
  }

  /** @param {{numbers: number[], pool: boolean}} board */
  useBoard(board) {
    this.board = new Board(board, (number) => this.choose(number), { act: this.act, ...inTwoTaps(this) });
    put(this.parts.boardBox, this.board.element);
  }

  /** @param {number | null} [taken] */
  showBoard(taken = null) {
    const { position, analysis, moves } = this.at;
    const pool = this.boardData?.pool ?? true;
    // A number with too many divisors to list has tiles as soon as its divisors can be listed.
    if (!pool && !this.boardData?.numbers.length && !position.legal.every((number) => this.board.tiles.has(number))) this.useBoard({ numbers: position.legal, pool });
    const judged = new Map((analysis?.options ?? []).map((option) => [option.move, option]));
    const pairs = this.advice.pairs && analysis ? analysis.reason.pairs : [];
    const state = {
      legal: position.legal,
      playable: pool ? position.playable : null,
      turns: moves.map((number, at) => ({ number, turn: at + 1, seat: this.at.seatOf(at + 1) })),
      last: moves.at(-1) ?? (pool ? (position.last ?? undefined) : undefined),
      canMove: position.moves > 0 && !this.marking,
      names: texts.players,
    };
    this.board.show({ ...state, judged, partner: partnersOf(pairs), pending: this.pending, just: taken });
    this.board.grid.classList.toggle("marking", this.marking);
    if (this.marking) this.board.tiles.forEach((tile) => tile.setAttribute("aria-disabled", "false"));
    put(this.parts.current, !pool && [h("span", { class: "quiet" }, words.match.current), h("strong", {}, words.number(position.last))]);
    this.showGraph({ ...state, pairs, parts: analysis?.reason.parts ?? [], marks: { good: [...judged.values()].filter(({ wins }) => wins).map(({ move }) => move) } });
  }

  // The graph is drawn once its place is visible.
  showGraph(state) {
    if (!this.boardData || (!wide.matches && this.sheets.open !== "side")) return;
    if (!this.graph) {
      this.graph = new Graph(this.boardData, { act: this.act, choose: (number) => this.choose(number) });
      put(this.parts.graphBox, h("h2", {}, words.graph.heading), this.graph.element);
    }
    this.graph.show(state);
  }
}

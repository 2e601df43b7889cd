// The view of a match: the board, the players, the messages from the server.

import { Actions } from "../components/actions.js";
import { Board } from "../components/board.js";
import { Coach } from "../components/coach.js";
import { h, isVisible, nameGame, put, showTab, wide, write } from "../components/dom.js";
import { Graph } from "../components/graph.js";
import { History } from "../components/history.js";
import { Keyboard } from "../components/keyboard.js";
import { MessageLine } from "../components/message_line.js";
import { Offers } from "../components/offers.js";
import { Players } from "../components/players.js";
import { ResultCard } from "../components/result_card.js";
import { Review } from "../components/review.js";
import { waitingPanel } from "../components/share_dialog.js";
import { Sheets } from "../components/sheets.js";
import { inTwoTaps } from "../components/two_taps.js";
import { brief, situation } from "../model/announcer.js";
import { Connection } from "../model/connection.js";
import { describe } from "../model/new_match.js";
import { positionOf } from "../model/position.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";
import { Commands } from "./match_commands.js";
import { Inbox } from "./match_inbox.js";
import { layOut } from "./match_layout.js";

/** @typedef {import("../model/types.d.ts").Match} Match */

export class MatchView {
  /**
   * @param {string} id @param {string} key
   * @param {{seats: number[], match: Match, presence: import("../model/types.d.ts").Presence}} seen
   * @param {import("../model/types.d.ts").BoardData} boardData @param {string} act
   */
  constructor(id, key, { seats, match, presence }, boardData, act) {
    this.id = id;
    this.key = key;
    this.seats = seats;
    this.view = match;
    this.presence = presence;
    this.boardData = boardData;
    this.act = act;
    this.connected = false;
    this.just = /** @type {number | null} */ (null);
    this.graph = /** @type {Graph | null} */ (null);
    this.sheets = new Sheets();
    this.board = this.newBoard(boardData);
    this.history = new History(this);
    this.review = new Review(this);
    this.coach = new Coach(this);
    this.result = new ResultCard(this);
    this.players = new Players(this);
    this.offers = new Offers(this);
    this.message = new MessageLine(this.history.banner, this.offers.element);
    this.commands = new Commands(this);
    this.actions = new Actions(this);
    this.parts = layOut(this);
    this.element = this.parts.element;
    this.heading = this.parts.heading;
    const inbox = new Inbox(this);
    this.connection = new Connection(id, key, (message) => inbox.receive(message));
    this.keyboard = new Keyboard(this);
    this.clock = setInterval(() => this.offers.show(), 1000);
  }

  start() {
    this.showGraph(wide.matches && storage.choices().graph !== false);
    this.render();
  }

  newBoard(boardData) {
    return new Board(boardData, (number) => this.commands.take(number), { act: this.act, ...inTwoTaps(this) });
  }

  ready() {
    if (this.canMove && this.board.focus(this.view.legal[0])) return;
    this.message.status.focus({ preventScroll: true });
  }

  leave() {
    this.connection.close();
    clearInterval(this.clock);
    this.commands.close();
    this.keyboard.close();
  }

  advance(view) {
    const rounds = this.view.results.length;
    this.commands.settle(); // before the position changes, so that the change is animated
    this.view = view;
    this.coach.clear();
    this.message.note();
    this.message.warn("");
    this.result.close();
    this.history.moveOn();
    if (view.winner === null || view.results.length !== rounds) this.review.forget();
    if (storage.game(this.id)) storage.keep({ id: this.id, ...describe(view, this.seats) });
  }

  situation() {
    return situation(this.view, this.seats, this.boardData.pool);
  }

  // Make a change that may hide the focused element. If it does, focus the status instead.
  keepFocus(change) {
    const focused = document.activeElement;
    const inside = focused && this.element.contains(focused);
    change();
    if (inside && !isVisible(focused)) this.message.status.focus({ preventScroll: true });
  }

  // --- state

  get canMove() {
    const { state, to_move: mover } = this.view;
    return state === "playing" && mover !== null && this.seats.includes(mover);
  }

  // A number with too many divisors to list has no tiles at first.
  get typesNumbers() {
    return !this.boardData.pool && !this.boardData.numbers.length;
  }

  get plays() {
    return this.seats.length > 0;
  }

  render() {
    const { view } = this;
    const round = (view.series > 1 || view.rounds > 1) && words.match.round(this.history.number, view.rounds);
    nameGame(this.heading, view.game, round);
    const phase = view.state !== "playing" ? view.state : this.canMove ? "mine" : "theirs";
    this.element.dataset.phase = phase;
    const yours = phase === "mine" && this.seats.length === 1;
    showTab(words.match.title(view, yours), yours);
    this.players.show();
    this.message.status.classList.toggle("over", view.state === "over");
    write(this.message.status, brief(view, this.seats, this.boardData.pool));
    this.showPosition();
    this.showWaiting();
    this.offers.show();
    this.actions.show();
    this.parts.entry.hidden = !this.typesNumbers || !this.canMove;
    this.history.render();
  }

  showPosition() {
    this.listDivisors();
    const { history, coach } = this;
    const now = !history.looking;
    const marks = this.review.marks;
    const shown = positionOf(this, marks?.more);
    const partner = now ? coach.partners : undefined;
    const state = { ...shown, names: this.view.names, best: now ? coach.best : null, partner, marks: marks ?? undefined };
    this.board.show({ ...state, just: now ? this.just : null, pending: now ? this.commands.pending : null });
    this.board.element.classList.toggle("back", !now);
    this.graph?.show({ ...state, pairs: now ? (coach.reason?.pairs ?? []) : [], parts: now ? (coach.reason?.parts ?? []) : [] });
    put(this.parts.current, shown.current && [h("span", { class: "quiet" }, words.match.current), h("strong", {}, words.number(shown.current))]);
  }

  // Players type their moves until the divisors can be listed: then show tiles.
  listDivisors() {
    if (!this.typesNumbers) return;
    const { legal } = positionOf(this);
    const listed = legal.length > 0 || this.view.state !== "playing";
    if (listed && legal.every((number) => this.board.tiles.has(number))) return;
    this.board = this.newBoard({ numbers: legal, pool: false });
    put(this.parts.boardBox, this.board.element);
  }

  showGraph(shown) {
    if (shown === Boolean(this.graph) || !this.boardData.numbers.length) return;
    this.graph = shown ? new Graph(this.boardData, { act: this.act, choose: (number) => this.commands.take(number) }) : null;
    put(this.parts.graphBox, this.graph && [h("h2", {}, words.graph.heading), this.graph.element]);
    this.parts.graphBox.hidden = !this.graph;
    this.actions.show();
    this.showPosition();
  }

  showWaiting() {
    const waits = this.view.state === "waiting" && this.plays;
    const { waiting } = this.parts;
    this.board.element.classList.toggle("idle", waits);
    if (waits === !waiting.hidden) return;
    waiting.hidden = !waits;
    put(waiting, waits && waitingPanel(this.view));
  }
}

// The review of a finished round, on the board: before each mistake, what would have won, and why.

import { addressOf } from "../model/analysis_address.js";
import { call } from "../model/api.js";
import { words } from "../words/words.js";
import { useSpaceBelow } from "./board.js";
import { h, put, tell, wide } from "./dom.js";
import { timeline } from "./timeline.js";

/** @typedef {import("../model/types.d.ts").ReviewOf} ReviewOf */

export class Review {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.isOpen = false;
    this.round = 0;
    this.turn = 1; // the turn on screen; the board shows the position before it
    this.line = 0; // how many numbers of the mistake and its refutation are on the board
    this.seat = 0; // whose mistakes are shown one after the other, or 0 for both players'
    /** @type {Map<number, Promise<ReviewOf>>} */
    this.loaded = new Map();
    /** @type {Map<number, ReviewOf>} */
    this.known = new Map();
    /** @type {ReviewOf | null} */
    this.review = null;
    this.element = h("section", { class: "review", "aria-live": "polite", "aria-label": words.review.heading, hidden: true });
  }

  /** Load the review of a round, once. @param {number} round @returns {Promise<ReviewOf>} */
  load(round) {
    const { id, key } = this.matchView;
    let review = this.loaded.get(round);
    if (!review) {
      review = /** @type {Promise<ReviewOf>} */ (call(`matches/${id}/rounds/${round}/review`, { key }));
      this.loaded.set(round, review);
      review.then((known) => {
        if (this.loaded.get(round) !== review) return;
        this.known.set(round, known);
        this.matchView.history.render();
      }, () => this.loaded.delete(round));
    }
    return review;
  }

  forget() {
    this.loaded.clear();
    this.known.clear();
    this.close();
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.element.hidden = true;
    put(this.element);
    this.matchView.element.classList.remove("reviewing");
  }

  /** Review a round: the one on screen if it is over, otherwise the last finished one. */
  async start(number = this.matchView.history.number) {
    const { view, result, coach } = this.matchView;
    const round = Math.min(number, view.results.length);
    result.close();
    coach.clear();
    this.isOpen = true;
    this.element.hidden = false;
    this.matchView.element.classList.add("reviewing");
    put(this.element, h("p", { class: "quiet" }, words.review.wait));
    try {
      const review = await this.load(round);
      if (!this.isOpen) return;
      this.review = review;
      this.round = round;
      const { seats } = this.matchView;
      this.seat = seats.length === 1 ? seats[0] : 0;
      await this.go((this.mistakes[0] ?? review.turns[0])?.turn ?? 1);
      this.element.querySelector("button")?.focus({ preventScroll: true });
    } catch (error) {
      put(this.element, h("p", { class: "reason" }, error.message), this.done());
    }
  }

  /** The mistakes of the player whose mistakes are shown: yours, unless you ask for your opponent's. */
  get mistakes() {
    return this.mistakesOf(this.seat);
  }

  /** @param {number} seat */
  mistakesOf(seat) {
    return this.review?.turns.filter((turn) => turn.mistake && (!seat || turn.player === seat)) ?? [];
  }

  get judged() {
    return this.review?.turns[this.turn - 1];
  }

  /** The numbers that are played out after the position on screen: the mistake, then its refutation. */
  get played() {
    const { judged } = this;
    return judged ? [judged.move, ...(judged.line.length ? judged.line : judged.answer ? [judged.answer] : [])] : [];
  }

  /** Show the position before a turn. @param {number} turn */
  async go(turn) {
    this.turn = Math.max(1, Math.min(turn, this.review?.turns.length ?? 1));
    this.line = 0;
    await this.matchView.history.look(this.turn - 1, this.round);
    this.render();
  }

  /** Step through the refutation. On a good move, step through the game. @param {number} by */
  step(by) {
    if (!this.isOpen || !this.review) return;
    const { judged } = this;
    if (!judged?.mistake || (by < 0 && this.line === 0) || (by > 0 && this.line === this.played.length)) return this.go(this.turn + by);
    this.line += by;
    this.matchView.showPosition();
    this.render();
  }

  /** What the review marks on the board: the position, then the numbers played after it. */
  get marks() {
    const { judged } = this;
    if (!this.isOpen || !judged) return null;
    const more = this.played.slice(0, this.line);
    return { good: this.line || !judged.mistake ? [] : judged.better, bad: judged.mistake ? judged.move : null, more, could: more.slice(this.shared) };
  }

  /** How many of the numbers that are played out were also taken in the game: the mistake, and perhaps more. */
  get shared() {
    const taken = this.review?.turns.slice(this.turn - 1) ?? [];
    const differs = this.played.findIndex((number, at) => number !== taken[at]?.move);
    return differs < 0 ? this.played.length : differs;
  }

  /** The address of the position on screen in the analysis board. */
  get address() {
    const { boardData, history } = this.matchView;
    const before = history.round?.turns.slice(0, this.turn - 1).map(({ number }) => number) ?? [];
    return addressOf(boardData.code, [...before, ...this.played.slice(0, this.line)], history.round?.starter);
  }

  render() {
    const { review, judged } = this;
    if (!review || !judged) return put(this.element, h("p", {}, review?.summary ?? ""), this.done());
    const { mistakes } = this;
    const next = mistakes.find((turn) => turn.turn > this.turn);
    const button = (label, does, properties = {}) => h("button", { type: "button", onclick: does, ...properties }, label);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.step;
    // A remark of any length leaves the buttons above it where they are. On a phone, the remark comes first.
    const course = timeline(review, this.turn, (turn) => this.go(turn));
    put(
      this.element,
      h("div", { class: "row steps" },
        button("←", () => this.step(-1), { "aria-label": words.review.back, "data-step": "back" }),
        button("→", () => this.step(1), { "aria-label": words.review.on, "data-step": "on" }),
        next && button(words.review.next, () => this.go(next.turn), { class: "main", "data-step": "next" }),
        this.done()),
      wide.matches && course,
      h("p", { class: "remark" }, h("strong", { class: judged.mistake ? "wrong" : "" }, this.count(judged)), " ", this.remark()),
      !wide.matches && course,
      h("div", { class: "row more" },
        judged.line_text && button(words.review.line, () => tell(words.review.after(judged.move), words.close, h("p", {}, judged.line_text)), { "data-step": "line" }),
        this.other(button),
        h("a", { href: this.address, "data-step": "analyse" }, words.review.analyse)),
      h("p", { class: "quiet summary" }, review.summary),
    );
    useSpaceBelow(this.element, this.matchView.board);
    const again = focused && this.element.querySelector(`[data-step="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  // Say which mistake this is. Yours and your opponent's are counted separately.
  count(judged) {
    if (!judged.mistake) return "";
    const { seats, view } = this.matchView;
    const counted = this.mistakesOf(seats.length === 1 ? judged.player : 0);
    const owner = seats.length !== 1 ? "" : judged.player === seats[0] ? words.review.your : words.review.theirs(view.names[judged.player - 1]);
    return words.review.count(owner, counted.indexOf(judged) + 1, counted.length);
  }

  // A button that leads to the mistakes of the other player.
  other(button) {
    const { seats, view } = this.matchView;
    if (seats.length !== 1) return null;
    const seat = 3 - this.seat;
    const [first] = this.mistakesOf(seat);
    const label = seat === seats[0] ? words.review.yours : words.review.others(view.names[seat - 1]);
    return first && button(label, () => {
      this.seat = seat;
      this.go(first.turn);
    }, { "data-step": "other" });
  }

  remark() {
    const { review, judged } = this;
    if (!review || !judged) return "";
    const { seats } = this.matchView;
    const nameOf = (seat) => (seats.length === 1 && seats[0] === seat ? "" : review.players[seat - 1]);
    const took = words.review.turn(judged.turn, nameOf(judged.player), judged.move);
    if (judged.mistake === null) return `${took} ${words.review.unproven}`;
    if (!judged.mistake) return `${took} ${words.review.good}`;
    if (this.line === 0) return `${took} ${review.told[judged.turn]} ${words.review.see}`;
    const played = this.played.slice(1, this.line);
    if (!played.length) return `${took} ${words.review.answers}`;
    const ended = this.line === this.played.length;
    if (this.shared > 1) return words.review.loses(judged.move, played, ended);
    const other = nameOf(3 - judged.player);
    const answered = review.turns[judged.turn]?.move;
    return `${words.review.could(other, played, ended)} ${answered ? words.review.instead(other, answered) : ""}`.trim();
  }

  done() {
    return h("button", { type: "button", "data-step": "done", onclick: () => {
      this.close();
      this.matchView.history.now();
    }, class: "done", "aria-label": words.review.done, title: words.review.done }, "✕");
  }
}

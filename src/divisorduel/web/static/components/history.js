// The list of moves, with buttons that step through earlier positions.

import { endOfRound } from "../model/announcer.js";
import { call } from "../model/api.js";
import { showAddress } from "../model/match_address.js";
import { h, put, write } from "./dom.js";
import { sparkline } from "./timeline.js";
import { words } from "../words/words.js";

/** @typedef {import("../model/types.d.ts").Round} Round */

export class History {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    /** @type {import("../model/types.d.ts").Position | null} */
    this.looking = null; // the earlier position on screen, or null for the current one
    this.ended = ""; // how the round on screen has just ended
    this.behind = false; // whether the match has continued since then
    this.shown = "";
    /** @type {import("../model/types.d.ts").ReviewOf | undefined} */
    this.reviewed = undefined; // the review whose course is on screen
    /** @type {Round | null} */
    this.round = null;
    /** @type {Round | null} */
    this.loaded = null;
    this.at = 0;
    this.queue = Promise.resolve();
    const button = (name, mark, does) =>
      h("button", { type: "button", "aria-label": words.history[name], onclick: does }, mark);
    this.caption = h("span");
    this.onward = h("button", { type: "button", class: "main", onclick: () => this.now() });
    this.banner = h("p", { class: "banner", hidden: true }, this.caption, this.onward);
    this.list = h("ol", { class: "moves" });
    this.chosen = h("select", { onchange: () => this.chooseRound(Number(this.chosen.value)) });
    this.rounds = h("label", { class: "row", hidden: true }, words.history.which, this.chosen);
    this.steps = h("div", { class: "row", role: "group", "aria-label": words.history.heading },
      button("first", "|◀", () => this.go(() => 0)),
      button("back", "◀", () => this.back()),
      button("forward", "▶", () => this.forward()),
      button("last", "▶|", () => this.now()),
    );
    this.advantage = h("div", { class: "advantage", hidden: true });
    this.element = h("section", { class: "history" }, h("h2", {}, words.history.heading), this.rounds, this.steps, this.list, this.advantage);
  }

  // The match has continued. Keep showing an earlier position, but say so.
  moveOn() {
    this.loaded = null;
    this.behind = Boolean(this.looking);
  }

  // A round is over and the next one has begun. Show how the old one ended until the player continues.
  async showEnd(number) {
    const { matchView } = this;
    await this.look(Infinity, number);
    if (!this.round?.winner) return; // it could not be loaded
    this.ended = endOfRound({ ...this.round, winner: this.round.winner }, matchView.view, matchView.seats);
    this.behind = false;
    matchView.render();
    this.onward.focus({ preventScroll: true });
  }

  back() {
    return this.go((at) => at - 1);
  }

  forward() {
    return this.go((at) => at + 1);
  }

  // Go to turn `to(current turn)`. Steps are queued, so that fast key presses are not lost.
  go(to) {
    this.queue = this.queue.then(() => {
      const { view } = this.matchView;
      const at = this.looking ? this.at : view.turns.length;
      return this.look(to(at), this.number);
    });
    return this.queue;
  }

  /** The number of the round on screen. */
  get number() {
    return this.looking && this.round ? this.round.round : this.matchView.view.round;
  }

  // Show the position of a round after `at` turns.
  async look(at, number) {
    const { matchView } = this;
    try {
      if (this.loaded?.round !== number) {
        this.loaded = await call(`matches/${matchView.id}/rounds/${number}`, { key: matchView.key });
      }
    } catch (error) {
      return matchView.message.warn(error.message);
    }
    const round = this.loaded;
    this.ended = "";
    if (at < 0 || !round) return;
    if (number === matchView.view.round && at >= round.turns.length && !matchView.review.isOpen) return this.now();
    this.round = round;
    this.at = Math.min(at, round.turns.length);
    this.looking = this.position(round, this.at);
    matchView.render();
  }

  position(round, at) {
    const done = round.turns.slice(0, at);
    const gone = new Set(done.flatMap((turn) => [turn.number, ...turn.gone]));
    const { boardData } = this.matchView;
    return {
      legal: at < round.turns.length ? round.turns[at].legal : round.legal,
      playable: boardData.pool ? boardData.numbers.filter((number) => !gone.has(number)) : null,
      turns: done.map((turn, i) => ({ ...turn, turn: i + 1 })),
      last: done.at(-1)?.number,
      current: boardData.pool ? null : (done.at(-1)?.number ?? boardData.last),
      canMove: false,
    };
  }

  now() {
    const focused = this.banner.contains(document.activeElement);
    this.looking = this.round = null;
    this.ended = "";
    this.matchView.message.warn("");
    this.behind = false;
    this.matchView.render();
    if (focused) this.matchView.ready();
  }

  render() {
    const { view, id, review } = this.matchView;
    const { number } = this;
    showAddress(id, { round: number, turn: this.looking ? this.at : undefined, review: review.isOpen });
    const turns = this.looking && this.round
      ? this.round.turns
      : view.turns.map((taken, at) => ({ number: taken, seat: at % 2 ? 3 - view.starter : view.starter }));
    this.banner.hidden = !this.looking || this.matchView.review.isOpen;
    if (this.looking) {
      const text = this.ended || words.history.looking(this.at, turns.length);
      write(this.caption, this.behind && !this.ended ? `${text} ${words.match.movedOn}` : text);
      write(this.onward, this.ended ? words.match.nextRound : words.history.now);
    }
    this.showAdvantage(number);
    const key = JSON.stringify([number, turns, this.at, Boolean(this.looking), view.names, view.round]);
    if (this.shown === key) return;
    this.shown = key;
    this.matchView.keepFocus(() => this.showList(turns, number));
    this.steps.hidden = !view.turns.length && !this.looking;
    this.showRounds(number);
  }

  showList(turns, number) {
    const focused = [...this.list.children].findIndex((item) => item.contains(document.activeElement));
    put(this.list, turns.length ? turns.map((turn, at) => this.item(turn, at + 1, number)) : h("li", { class: "quiet" }, words.history.none));
    if (focused >= 0) this.list.children[focused]?.querySelector("button")?.focus();
    if (!this.looking) this.list.scrollTop = this.list.scrollHeight;
  }

  item(turn, at, number) {
    const current = Boolean(this.looking) && this.at === at;
    return h(
      "li",
      { class: turn.seat === 1 ? "one" : "two" },
      h(
        "button",
        { type: "button", class: "plain", "aria-current": current ? "step" : null, onclick: () => this.look(at, number) },
        h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[turn.seat]),
        h("span", {}, `${at}. `, h("span", { class: "unseen" }, words.history.who(this.matchView.view.names[turn.seat - 1])), String(turn.number)),
        turn.gone?.length ? h("span", { class: "quiet" }, ` ${words.history.also(turn.gone)}`) : null,
      ),
    );
  }

  // Who was winning, turn by turn, once the round is over and its review is known.
  showAdvantage(number) {
    const review = this.matchView.review.known.get(number);
    this.advantage.hidden = !review || review.turns.length < 2;
    if (this.reviewed === review) return;
    this.reviewed = review;
    put(this.advantage, review && [h("h2", {}, words.review.course), sparkline(review)]);
  }

  showRounds(number) {
    const { round } = this.matchView.view;
    this.rounds.hidden = round < 2;
    while (this.chosen.options.length > round) this.chosen.options[round].remove();
    for (let n = this.chosen.options.length + 1; n <= round; n++) this.chosen.append(h("option", { value: n }, words.history.round(n)));
    this.chosen.value = String(number);
  }

  chooseRound(number) {
    return number === this.matchView.view.round ? this.now() : this.look(0, number);
  }
}

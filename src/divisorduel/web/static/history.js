// The moves so far, to be stepped through.

import { call } from "./api.js";
import { h, put } from "./dom.js";
import { words } from "./words.js";

export class History {
  constructor(table) {
    this.table = table;
    this.looking = null; // the position looked back at, as the board shows it
    this.round = null;
    this.at = 0;
    const button = (name, mark, does) =>
      h("button", { type: "button", "aria-label": words.history[name], onclick: does }, mark);
    this.banner = h("p", { class: "banner", hidden: true });
    this.list = h("ol", { class: "moves" });
    this.rounds = h("div", { class: "row rounds" });
    this.steps = h("div", { class: "row", role: "group", "aria-label": words.history.heading },
      button("first", "|◀", () => this.go(0)),
      button("back", "◀", () => this.back()),
      button("forward", "▶", () => this.forward()),
      button("last", "▶|", () => this.now()),
    );
    this.element = h("section", { class: "history" }, h("h2", {}, words.history.heading), this.rounds, this.steps, this.list);
  }

  // The match has moved on.
  forget() {
    this.round = null;
    this.looking = null;
  }

  async load(number) {
    if (this.round?.round !== number) {
      this.round = await call(`matches/${this.table.id}/rounds/${number}`, { key: this.table.key });
    }
    return this.round;
  }

  back() {
    const length = this.table.view.turns.length;
    return this.go(this.looking ? this.at - 1 : length - 1, this.round?.round);
  }

  forward() {
    if (this.looking) return this.go(this.at + 1, this.round.round);
  }

  // Look at a round after so many turns.
  async go(at, number = this.looking ? this.round.round : this.table.view.round) {
    const round = await this.load(number);
    const last = number === this.table.view.round && at >= round.turns.length;
    if (last || at < 0) return last ? this.now() : undefined;
    this.at = Math.min(at, round.turns.length);
    this.looking = this.position(round, this.at);
    this.table.showPosition();
    this.render();
  }

  position(round, at) {
    const done = round.turns.slice(0, at);
    const gone = new Set(done.flatMap((turn) => [turn.number, ...turn.gone]));
    const { boardData, view } = this.table;
    const numbers = boardData.numbers;
    return {
      legal: at < round.turns.length ? round.turns[at].legal : round.legal,
      playable: boardData.pool ? numbers.filter((number) => !gone.has(number)) : null,
      turns: done.map((turn, i) => ({ ...turn, turn: i + 1 })),
      last: done.at(-1)?.number,
      current: boardData.pool ? null : (done.at(-1)?.number ?? Number(view.game.board)),
      canMove: false,
    };
  }

  now() {
    this.looking = null;
    this.table.showPosition();
    this.render();
  }

  render() {
    const { view } = this.table;
    const round = this.looking ? this.round : null;
    const number = round?.round ?? view.round;
    const turns = round
      ? round.turns
      : view.turns.map((taken, at) => ({ number: taken, seat: at % 2 ? 3 - view.starter : view.starter }));
    this.banner.hidden = !this.looking;
    if (this.looking) {
      put(
        this.banner,
        h("span", {}, words.history.looking(this.at, turns.length)),
        h("button", { type: "button", onclick: () => this.now() }, words.history.now),
      );
    }
    const key = JSON.stringify([number, turns, this.at, Boolean(this.looking), view.names]);
    if (this.shown === key) return;
    this.shown = key;
    const focused = [...this.list.children].findIndex((item) => item.contains(document.activeElement));
    put(this.list, turns.length ? turns.map((turn, at) => this.item(turn, at + 1, number)) : h("li", { class: "quiet" }, words.history.none));
    if (focused >= 0) this.list.children[focused]?.querySelector("button")?.focus();
    this.steps.hidden = !view.turns.length && !this.looking;
    this.showRounds(number);
    if (!this.looking) this.list.lastElementChild?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }

  item(turn, at, number) {
    const current = this.looking ? this.at === at : false;
    return h(
      "li",
      { class: turn.seat === 1 ? "one" : "two" },
      h(
        "button",
        { type: "button", class: "plain", "aria-current": current ? "step" : null, onclick: () => this.go(at, number) },
        h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[turn.seat]),
        words.history.turn(at, this.table.view.names[turn.seat - 1], turn.number),
        turn.gone?.length ? h("span", { class: "quiet" }, ` ${words.history.also(turn.gone)}`) : null,
      ),
    );
  }

  showRounds(number) {
    const { round } = this.table.view;
    this.rounds.hidden = round < 2;
    if (round < 2) return;
    const shown = Array.from({ length: round }, (_, at) => at + 1).slice(-12);
    put(
      this.rounds,
      shown.map((n) =>
        h("button", { type: "button", "aria-pressed": String(n === number), onclick: () => (n === round ? this.now() : this.go(0, n)) }, words.history.round(n)),
      ),
    );
  }
}

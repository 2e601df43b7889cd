// The card at the end of a match: who won, by what, and where the mistakes were.

import { addressOf } from "../model/analysis_address.js";
import { nextStarter } from "../model/announcer.js";
import { countResult } from "../model/statistics.js";
import { words } from "../words/words.js";
import { h, put, reducedMotion } from "./dom.js";
import { share } from "./share_dialog.js";
import { sparkline } from "./timeline.js";

export class ResultCard {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.isOpen = false;
    this.found = h("div", { class: "found" });
    this.element = h("section", { class: "result", "aria-label": words.result.heading, hidden: true });
  }

  /** Show how the match ended. @param {{title: string, by: string, match: string, won: boolean, turns: number[]}} ending */
  async open({ title, by, match, won, turns }) {
    const { matchView } = this;
    this.isOpen = true;
    countResult(matchView.view, matchView.seats);
    if (!reducedMotion.matches && matchView.board.act === "chain") await matchView.board.trace.replay(turns);
    if (!this.isOpen) return;
    const { view, plays } = matchView;
    this.find = h("button", { type: "button", class: "main", onclick: () => matchView.review.start() }, words.actions.review);
    put(
      this.element,
      h("button", { type: "button", class: "plain close", "aria-label": words.close, onclick: () => this.dismiss() }, "✕"),
      h("p", { class: `title${won && !match ? " won" : ""}` }, match || title),
      h("p", { class: "by" }, match ? `${by} ${title}` : by),
      this.found,
      h("div", { class: "row" },
        this.find,
        plays && h("button", { type: "button", onclick: () => matchView.commands.command("rematch") }, h("span", {}, words.actions.rematch), " ", h("small", {}, nextStarter(view, matchView.seats))),
        plays && h("button", { type: "button", onclick: () => share(matchView) }, words.actions.share)),
      h("p", {}, h("a", { href: addressOf(matchView.boardData.code, turns, view.starter) }, words.actions.analyse)),
    );
    put(this.found, h("p", { class: "quiet" }, words.review.wait));
    this.element.hidden = false;
    matchView.actions.show();
    await this.count(view.results.length);
  }

  // The number of mistakes, and the course of the game.
  async count(round) {
    const { find } = this;
    try {
      const review = await this.matchView.review.load(round);
      if (!this.isOpen || find !== this.find || !find) return;
      const { seats } = this.matchView;
      const wrong = review.turns.filter((turn) => turn.mistake);
      const players = wrong.map((turn) => turn.player);
      // To give up a won position is a mistake that the review cannot show: no turn was played.
      const gaveUp = review.gave_up_a_win && review.favours_end;
      if (gaveUp) players.push(gaveUp);
      const mistakes = players.length;
      const yours = players.filter((player) => player === seats[0]).length;
      const alone = seats.length === 1;
      const text = alone && mistakes ? words.result.yours(yours, review.players[2 - seats[0]], mistakes - yours) : words.result.mistakes(mistakes);
      const last = gaveUp && words.result.gaveUp(alone && gaveUp === seats[0] ? "" : review.players[gaveUp - 1]);
      put(this.found, review.turns.length > 1 && sparkline(review), h("p", {}, last ? `${text} ${last}` : text));
      if (wrong.length) find.textContent = words.result.find(wrong.length);
    } catch {
      put(this.found);
    }
  }

  dismiss() {
    this.matchView.keepFocus(() => {
      this.close();
      this.matchView.actions.show();
    });
  }

  close() {
    this.isOpen = false;
    this.element.hidden = true;
    put(this.element);
  }
}

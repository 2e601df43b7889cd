// Hints and reasons, next to the board on a wide screen and below it on a phone.

import { call } from "../model/api.js";
import { partnersOf } from "../model/partners.js";
import { words } from "../words/words.js";
import { useSpaceBelow } from "./board.js";
import { h, put } from "./dom.js";

export class Coach {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.hints = 0;
    /** @type {{move: number | null, more: boolean, text: string} | null} */
    this.hinted = null;
    /** @type {{move: number | null, pairs: [number, number][], parts: any[], text: string} | null} */
    this.reason = null;
    this.element = h("div", { class: "advice", "aria-live": "polite" });
  }

  clear() {
    this.hints = 0;
    this.hinted = this.reason = null;
    put(this.element);
  }

  get isShown() {
    return this.element.childElementCount > 0;
  }

  /** The number that the hints have named. */
  get best() {
    return this.hinted?.move ?? null;
  }

  /** The partners of numbers, each pair under a letter. */
  get partners() {
    return partnersOf(this.reason?.pairs ?? []);
  }

  async hint() {
    const { id, key } = this.matchView;
    // After the last hint, the same button repeats it.
    const step = this.hinted?.more === false ? this.hints : Math.min(this.hints + 1, 3);
    await this.learn(call(`matches/${id}/hint`, { key, body: { step } }), (hinted) => {
      this.hints = step;
      this.hinted = hinted;
      this.reason = null; // a hint takes its place
      return hinted;
    });
  }

  async why() {
    const { id, key } = this.matchView;
    await this.learn(call(`matches/${id}/why?hints=${this.hints}`, { key }), (reason) => {
      this.reason = reason;
      return reason;
    });
  }

  // Wait for an answer about this position, and use it unless the match has changed.
  async learn(answer, use) {
    const { matchView } = this;
    const { version } = matchView.view;
    matchView.board.pick(null); // a selected number covers its neighbours
    put(this.element, h("p", { class: "quiet" }, words.loading));
    try {
      const learned = await answer;
      if (version !== matchView.view.version) return;
      const { text } = use(learned);
      const lettered = this.partners.size > 0 && h("p", { class: "quiet" }, words.coach.letters);
      put(this.element, this.close(), h("p", {}, text), lettered, this.next());
      useSpaceBelow(this.element, matchView.board);
      matchView.keepFocus(() => matchView.render());
    } catch (error) {
      put(this.element);
      matchView.message.warn(error.message);
    }
  }

  // On a phone, advice covers the buttons below the board, so it has its own.
  next() {
    const button = (label, does) => h("button", { type: "button", onclick: does }, label);
    const drawn = this.reason && (this.reason.pairs.length > 0 || this.reason.parts.length > 1);
    return h("div", { class: "row narrow" },
      this.hinted?.more !== false && button(this.hints ? words.actions.more : words.actions.hint, () => this.hint()),
      !this.reason && button(words.actions.why, () => this.why()),
      drawn && button(words.actions.graph, () => this.matchView.actions.toggleGraph()));
  }

  // The letters on the board belong to the reason.
  hide() {
    this.reason = null;
    this.matchView.keepFocus(() => {
      put(this.element);
      this.matchView.render();
    });
  }

  close() {
    return h("button", { type: "button", class: "plain close", "aria-label": words.close, onclick: () => this.hide() }, "✕");
  }
}

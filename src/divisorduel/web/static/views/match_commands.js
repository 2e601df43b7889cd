// What a player asks for: sends commands, and shows at once what is on its way.

import { ask } from "../components/dom.js";
import { words } from "../words/words.js";

const SLOW = 2000; // after this time without an answer, the connection is slow

export class Commands {
  /** @param {import("./match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    /** @type {number | null} */
    this.pending = null; // the number that was tapped and not yet answered
    this.slow = 0;
  }

  close() {
    clearTimeout(this.slow);
  }

  async take(number) {
    const { review, history, message, plays, view, canMove, board } = this.matchView;
    if (review.isOpen) return;
    if (history.looking) {
      history.now();
      return message.warn(words.match.lookedBack);
    }
    if (!plays) return message.warn(words.match.watching);
    const taken = await this.send({ type: "take", number }, canMove ? number : null);
    if (taken.refused) board.shake(number);
    if (taken.asks && (await this.sure(words.sure.wrong(taken.refused), words.sure.wrongYes, view.version))) {
      this.say(await this.send({ type: "take", number, sure: true }));
    } else if (!taken.asks) {
      this.say(taken);
    }
    if (document.activeElement === document.body) board.focus(number);
  }

  // Ask before something final. Resolves to false if the match has changed in the meantime.
  async sure(question, yes, version) {
    const { matchView } = this;
    const answer = await ask(question, [
      { label: words.sure.no, value: "no", kind: "main" },
      { label: yes, value: "yes" },
    ]);
    if (answer !== "yes" || version === matchView.view.version) return answer === "yes";
    matchView.message.warn(words.match.changed);
    return false;
  }

  /** @param {string} type */
  async command(type) {
    this.matchView.sheets.close();
    this.say(await this.send({ type }));
  }

  async forfeit() {
    const { version } = this.matchView.view;
    if (await this.sure(words.sure.forfeit, words.sure.forfeitYes, version)) await this.command("forfeit");
  }

  /** Send a command, and show at once which number it takes. @param {object} command @param {number | null} [number] */
  async send(command, number = null) {
    const { matchView } = this;
    const { message } = matchView;
    message.warn(matchView.connected ? "" : words.match.waits, true);
    const answer = matchView.connection.command(matchView.view.version, command);
    if (matchView.connection.pending?.command === command) {
      this.pending = number;
      clearTimeout(this.slow);
      this.slow = setTimeout(() => matchView.connected && message.warn(words.match.slow, true), SLOW);
      if (number !== null) matchView.showPosition();
    }
    const outcome = await answer;
    if (!outcome.busy) this.settle();
    return outcome;
  }

  // The last command was answered, or its result has arrived.
  settle() {
    const { message } = this.matchView;
    clearTimeout(this.slow);
    if (message.alert.textContent === words.match.slow) message.warn("");
    if (this.pending === null) return;
    this.pending = null;
    this.matchView.showPosition();
  }

  say({ refused, busy }) {
    if (refused) this.matchView.message.warn(refused);
    else if (busy) this.matchView.message.warn(words.match.busy);
  }
}

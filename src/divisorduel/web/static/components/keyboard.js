// The keyboard of a match: single letters, and numbers that are typed.

import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const DIGITS_TOGETHER = 4000; // how long typed digits are kept, in ms

export class Keyboard {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.typed = "";
    this.timer = 0;
    this.listener = (event) => this.press(event);
    addEventListener("keydown", this.listener);
  }

  close() {
    removeEventListener("keydown", this.listener);
    clearTimeout(this.timer);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea")) return;
    if (/^[a-z[\]]$/i.test(event.key) && storage.choices().letters === false) return;
    const { actions, commands, history, review, plays, view } = this.matchView;
    const click = (name) => actions.press(name);
    const does = {
      h: () => click("hint"),
      w: () => click("why"),
      u: () => click("undo"),
      r: () => click("redo"),
      g: () => click("graph"),
      n: () => (history.ended ? history.now() : plays && view.state === "over" && commands.command("rematch")),
      "[": () => history.back(),
      "]": () => history.forward(),
      ArrowLeft: () => review.step(-1),
      ArrowRight: () => review.step(1),
      Escape: () => this.escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (does) does();
    else if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Enter" && this.typed) this.take(event);
  }

  // Collect typed digits into a number. Focus its tile if there is one. Otherwise focus the status,
  // so that Enter does nothing once the digits are cleared.
  type(digit) {
    const { board, message } = this.matchView;
    this.typed = `${this.typed}${digit}`.slice(-15);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.forget(), DIGITS_TOGETHER);
    if (!board.focus(Number(this.typed))) message.status.focus();
    message.note(words.match.typed(this.typed), "typed");
  }

  forget() {
    clearTimeout(this.timer);
    if (this.typed) this.matchView.message.note();
    this.typed = "";
  }

  take(event) {
    event.preventDefault();
    const number = Number(this.typed);
    this.forget();
    this.matchView.commands.take(number);
  }

  escape() {
    const { sheets, review, history } = this.matchView;
    this.forget();
    if (sheets.close()) return;
    if (review.isOpen) review.close();
    if (history.looking) history.now();
  }
}

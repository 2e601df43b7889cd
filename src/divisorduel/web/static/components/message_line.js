// The message line below the board. Its space is always reserved, so that nothing moves when it speaks.

import { words } from "../words/words.js";
import { h, put, write } from "./dom.js";

const SHOWN = 7000; // how long a warning covers the rest, in ms

export class MessageLine {
  /** @param {...HTMLElement} others what else is shown in the same place */
  constructor(...others) {
    this.status = h("p", { class: "status", tabindex: "-1" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.alert = h("p", { class: "reason", role: "alert" });
    this.element = h("div", { class: "message" }, this.status, this.notice, others, this.alert);
    this.spoken = h("p", { class: "unseen", "aria-live": "polite" });
    this.timer = 0;
  }

  /** Say what is wrong. A lasting warning stays until it is cleared. @param {string} text */
  warn(text, lasting = false) {
    clearTimeout(this.timer);
    write(this.alert, text);
    if (text && !lasting) this.timer = setTimeout(() => write(this.alert, ""), SHOWN);
  }

  /** @param {string} [text] */
  note(text = "", kind = "") {
    put(this.notice, text && h("p", { class: kind }, text));
  }

  /** Show a notice, or hide it if it is shown. @param {string} text */
  toggle(text) {
    this.warn("");
    this.note(this.notice.textContent === text ? "" : text);
  }

  /** Say how to take the number that was selected. @param {number | null} number */
  pick(number) {
    if (number !== null) this.warn("");
    this.note(number === null ? "" : words.match.tapAgain(number));
  }

  /** Say something to screen readers. @param {string} text */
  speak(text) {
    this.spoken.textContent = text;
  }
}

// A number that is typed digit by digit. In the meantime its tile has the focus, and Enter takes it.

import { words } from "../words/words.js";

const DIGITS_TOGETHER = 4000; // how long typed digits are kept, in ms

/** @typedef {{board: import("./board.js").Board, message: import("./message_line.js").MessageLine}} Shown */

export class TypedNumber {
  /** @param {Shown} view @param {(number: number) => void} take */
  constructor(view, take) {
    this.view = view;
    this.take = take;
    this.digits = "";
    this.timer = 0;
  }

  /** Handle a key, and tell whether it belongs to a number. @param {KeyboardEvent} event */
  press(event) {
    if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Enter" && this.digits) this.enter(event);
    else return false;
    return true;
  }

  // Focus the tile of the number if there is one. Otherwise focus the status, so that Enter does nothing
  // once the digits are cleared.
  type(digit) {
    const { board, message } = this.view;
    this.digits = `${this.digits}${digit}`.slice(-15);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.forget(), DIGITS_TOGETHER);
    if (!board.focus(Number(this.digits))) message.status.focus();
    message.note(words.match.typed(this.digits), "typed");
  }

  enter(event) {
    event.preventDefault();
    const number = Number(this.digits);
    this.forget();
    this.take(number);
  }

  forget() {
    clearTimeout(this.timer);
    if (this.digits) this.view.message.note();
    this.digits = "";
  }
}

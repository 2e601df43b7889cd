// The keyboard of the analysis board: steps, single letters, and numbers that are typed.

import * as storage from "../model/storage.js";
import { TypedNumber } from "./typed_number.js";

export class AnalysisKeyboard {
  /** @param {import("../views/analysis_view.js").AnalysisView} view */
  constructor(view) {
    this.view = view;
    this.typed = new TypedNumber(view, (number) => view.choose(number));
    this.pointed = true; // whether the board was last used with a pointer, so that arrows are steps
    this.listener = (event) => this.press(event);
    this.pointer = () => (this.pointed = true);
    // The board uses the arrow keys to move between tiles, so its own listener comes later.
    addEventListener("keydown", this.listener, true);
    addEventListener("pointerdown", this.pointer, true);
  }

  close() {
    removeEventListener("keydown", this.listener, true);
    removeEventListener("pointerdown", this.pointer, true);
    this.typed.forget();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea, summary")) return;
    if (/^[a-z[\]]$/i.test(event.key) && storage.choices().letters === false) return;
    const { view } = this;
    if (["Tab", "ArrowUp", "ArrowDown"].includes(event.key) || /^[0-9]$/.test(event.key)) this.pointed = false;
    const onBoard = !this.pointed && view.board.grid.contains(event.target);
    const does = {
      ArrowLeft: onBoard ? undefined : () => view.step(-1),
      ArrowRight: onBoard ? undefined : () => view.step(1),
      "[": () => view.step(-1),
      "]": () => view.step(1),
      u: () => view.step(-1),
      r: () => view.step(1),
      p: () => view.play(),
      w: () => view.advice.toggle(),
      Escape: () => this.escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!does) return void this.typed.press(event);
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  escape() {
    const { sheets, advice, marking } = this.view;
    this.typed.forget();
    if (sheets.close() || advice.close()) return;
    if (marking) this.view.mark(false);
  }
}

// The keyboard of a match: single letters, and numbers that are typed.

import * as storage from "../model/storage.js";
import { TypedNumber } from "./typed_number.js";

export class Keyboard {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.typed = new TypedNumber(matchView, (number) => matchView.commands.take(number));
    this.listener = (event) => this.press(event);
    addEventListener("keydown", this.listener);
  }

  close() {
    removeEventListener("keydown", this.listener);
    this.typed.forget();
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
    else this.typed.press(event);
  }

  escape() {
    const { sheets, coach, review, history } = this.matchView;
    this.typed.forget();
    if (sheets.close()) return;
    if (coach.isShown) return coach.hide();
    if (review.isOpen) review.close();
    if (history.looking) history.now();
  }
}

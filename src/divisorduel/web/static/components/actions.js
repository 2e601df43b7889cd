// The buttons of a match, and which of them can be used now.

import { call } from "../model/api.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";
import { h, wide, write } from "./dom.js";
import { hasIcon, icon } from "./icon.js";
import { share } from "./share_dialog.js";

export class Actions {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    /** @type {Record<string, HTMLButtonElement>} */
    this.twins = {}; // in the menu of a phone, whose bar has no room for them
    const { coach, sheets } = matchView;
    const button = (name, does, properties = {}) => {
      const picture = hasIcon(name) && icon(name);
      return (this.buttons[name] = h("button", { type: "button", onclick: does, ...properties }, picture, h("span", { class: "label" }, words.actions[name])));
    };
    this.bar = h(
      "div",
      { class: "bar", role: "group", "aria-label": words.actions.label },
      button("rematch", () => matchView.commands.command("rematch"), { class: "main", "aria-keyshortcuts": "n" }),
      button("review", () => matchView.review.start()),
      button("hint", () => coach.hint(), { "aria-keyshortcuts": "h" }),
      button("why", () => coach.why(), { class: "wide", "aria-keyshortcuts": "w" }),
      button("undo", () => matchView.commands.command("undo"), { "aria-keyshortcuts": "u" }),
      button("redo", () => matchView.commands.command("redo"), { class: "wide", "aria-keyshortcuts": "r" }),
      button("graph", () => this.toggleGraph(), { "aria-pressed": "false", "aria-keyshortcuts": "g" }),
      button("menu", () => sheets.toggle("more"), { class: "narrow" }),
    );
    this.menu = h(
      "div",
      { class: "menu", role: "group", "aria-label": words.actions.others },
      this.twin("why"),
      this.twin("redo"),
      button("forfeit", () => matchView.commands.forfeit()),
      button("callOff", () => matchView.commands.command("call-off")),
      button("share", () => share(matchView)),
      button("download", () => this.download()),
      h("a", { class: "button", href: `#/rules/${matchView.view.game.key}/${matchView.id}`, target: "_blank", rel: "noopener" }, words.actions.rules),
      h("a", { class: "button", href: "#/" }, words.actions.newGame),
    );
  }

  twin(name) {
    const press = () => {
      this.matchView.sheets.close();
      this.press(name);
    };
    return (this.twins[name] = h("button", { type: "button", class: "narrow", onclick: press }, words.actions[name]));
  }

  press(name) {
    const button = this.buttons[name];
    if (!button.hidden) button.click();
  }

  show() {
    const { view, plays, canMove, seats, coach, boardData, result } = this.matchView;
    const playing = view.state === "playing";
    const over = view.state === "over";
    const mine = view.apart ? seats[0] : null; // apart, you can undo only if you have moved yourself
    const moved = view.round > 1 || view.turns.some((_, at) => !mine || (at % 2 ? 3 - view.starter : view.starter) === mine);
    const asks = playing && canMove && view.hints;
    const seen = {
      hint: asks,
      why: asks,
      undo: plays && view.undo && (playing || over) && moved && !view.forfeit,
      redo: plays && view.undo && !view.apart && view.redoable > 0,
      forfeit: playing && plays,
      callOff: view.state === "waiting" && plays,
      rematch: over && plays && !result.isOpen,
      review: view.results.length > 0 && !result.isOpen,
      graph: boardData.numbers.length > 0,
    };
    for (const [name, condition] of Object.entries(seen)) this.buttons[name].hidden = !condition;
    for (const [name, twin] of Object.entries(this.twins)) twin.hidden = this.buttons[name].hidden;
    this.label("undo", view.apart ? words.actions.askUndo : words.actions.undo);
    this.label("hint", coach.hints && coach.hinted?.more !== false ? words.actions.more : words.actions.hint);
    const shown = Boolean(this.matchView.graph);
    this.buttons.graph.setAttribute("aria-pressed", String(shown && wide.matches));
  }

  label(name, text) {
    const label = this.buttons[name].querySelector(".label");
    if (label) write(label, text);
  }

  // On a wide screen the graph has its own column. On a narrow one it is a sheet.
  toggleGraph() {
    const { matchView } = this;
    if (!wide.matches) {
      matchView.showGraph(true);
      return matchView.sheets.toggle("side");
    }
    matchView.showGraph(!matchView.graph);
    storage.keepChoices({ ...storage.choices(), graph: Boolean(matchView.graph) });
  }

  async download() {
    const { id, key, view, message } = this.matchView;
    try {
      const record = await call(`matches/${id}/record`, { key });
      const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
      h("a", { href: address, download: `${view.game.key}-${id}.duel` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      message.warn(error.message);
    }
  }
}

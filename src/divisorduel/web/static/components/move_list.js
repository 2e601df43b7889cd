// The moves of an analysis as a list. A branch is a list of its own, below the move that it replaces.

import { words } from "../words/words.js";
import { h, put } from "./dom.js";

export class MoveList {
  /** @param {(moves: number[]) => void} open called with the line up to the move that was chosen */
  constructor(open) {
    this.open = open;
    this.element = h("div", { class: "tree", role: "group", "aria-label": words.analysis.moves });
    this.shown = "";
    this.first = 1;
  }

  /** @param {import("../model/exploration.js").Exploration} exploration */
  show({ tree, moves: at, first }) {
    const key = JSON.stringify([tree.code, [...tree.nodes.keys()], at, first]);
    if (key === this.shown) return;
    this.shown = key;
    this.first = first;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.line : undefined;
    put(this.element, this.step([], at, words.analysis.start), tree.isEmpty && h("p", { class: "quiet" }, words.analysis.noMoves), this.line(tree, [], at));
    const again = focused !== undefined && this.element.querySelector(`[data-line="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  // The first move of each position continues the line. The others are branches.
  line(tree, from, at) {
    const items = [];
    let moves = from;
    for (let { children } = tree.node(moves); children.length; { children } = tree.node(moves)) {
      const [main, ...others] = children.map((number) => [...moves, number]);
      items.push(h("li", {}, this.step(main, at)));
      for (const other of others) items.push(h("li", { class: "branch" }, this.step(other, at), this.line(tree, other, at)));
      moves = main;
    }
    return items.length > 0 && h("ol", {}, items);
  }

  step(moves, at, label = "") {
    const turn = moves.length;
    const seat = turn % 2 === this.first % 2 ? 1 : 2;
    const current = moves.join() === at.join();
    return h(
      "button",
      { type: "button", class: `plain step${turn ? (seat === 1 ? " one" : " two") : ""}`, "data-line": moves.join("-"), "aria-current": current ? "step" : null, onclick: () => this.open(moves) },
      label || [h("span", { class: "quiet" }, `${turn}.`), h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[seat]), h("span", { class: "unseen" }, words.history.who(words.analysis.players[seat - 1])), String(moves.at(-1))],
    );
  }
}

// Whose turn it is in an analysis, and who wins.

import { words } from "../words/words.js";
import { h, put, write } from "./dom.js";

export class VerdictStrip {
  constructor() {
    this.mark = h("span", { class: "mark", "aria-hidden": "true" });
    this.name = h("span", { class: "name" });
    this.nimber = h("span", { class: "quiet", title: words.analysis.nimberHelp });
    this.pill = h("span", { class: "pill" });
    this.element = h("div", { class: "player verdict", role: "status" }, this.mark, this.name, this.nimber, this.pill);
  }

  /** @param {1 | 2} seat @param {import("../model/types.d.ts").AnalysisOf | null} analysis @param {boolean} failed */
  show(seat, analysis, failed) {
    const verdict = !analysis ? (failed ? "unknown" : "") : analysis.winner === 1 ? "wins" : analysis.winner === 2 ? "loses" : "unknown";
    this.element.className = `player verdict turn ${seat === 1 ? "one" : "two"} ${verdict}`;
    write(this.mark, words.match.seatMark[seat]);
    write(this.name, words.analysis.toMove(words.analysis.players[seat - 1]));
    put(this.nimber, analysis?.nimber !== null && analysis?.nimber !== undefined && words.analysis.nimber(analysis.nimber));
    write(this.pill, verdict ? words.analysis.verdicts[verdict] : words.analysis.solving);
  }
}

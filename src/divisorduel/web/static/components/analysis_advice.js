// Why a position is won or lost: next to the board on a wide screen, below it on a phone.

import { words } from "../words/words.js";
import { useSpaceBelow } from "./board.js";
import { h, put, wide } from "./dom.js";

const SELF_EVIDENT = ["unproven", "no-moves"]; // the verdict already says so

/** Separate who wins from how that was proven, which goes into small print. @param {string} text */
export function splitProof(text) {
  const [said, proof = ""] = text.split(/ (?=Proven by )/);
  return { said, proof };
}

export class AnalysisAdvice {
  /** @param {import("../views/analysis_view.js").AnalysisView} view */
  constructor(view) {
    this.view = view;
    this.isOpen = false; // on a phone, advice is shown on request
    this.pairs = false;
    this.element = h("div", { class: "advice", role: "region", "aria-label": words.analysis.why, tabindex: "0" });
    this.shown = "";
  }

  /** Show or hide the advice on a phone. */
  toggle() {
    this.isOpen = !this.isOpen;
    this.view.keepFocus(() => this.show());
    if (this.isOpen) this.element.querySelector("button")?.focus({ preventScroll: true });
  }

  close() {
    const wasOpen = this.isOpen && !wide.matches;
    if (wasOpen) this.toggle();
    return wasOpen;
  }

  show() {
    const { analysis, failed } = this.view.at;
    const visible = wide.matches || this.isOpen;
    const key = JSON.stringify([analysis, failed, visible, wide.matches, this.pairs]);
    if (key === this.shown) return;
    this.shown = key;
    put(this.element, visible && this.content(analysis, failed));
    useSpaceBelow(this.element, this.view.board);
  }

  content(analysis, failed) {
    const close = h("button", { type: "button", class: "plain close narrow", "aria-label": words.close, onclick: () => this.toggle() }, "✕");
    const again = h("button", { type: "button", onclick: () => this.retry() }, words.analysis.retry);
    if (failed) return [close, h("p", { class: "reason" }, failed), again];
    if (!analysis) return [close, h("p", { class: "quiet" }, words.analysis.solving)];
    const { reason, options } = analysis;
    const marked = options.some(({ wins }) => wins !== null);
    const nimbers = options.some(({ nimber }) => nimber !== null);
    return [
      close,
      h("h2", {}, words.analysis.why),
      SELF_EVIDENT.includes(reason.code)
        ? h("p", {}, splitProof(analysis.text).said)
        : h("p", {}, h("span", { class: "quiet" }, words.analysis.whyFor), " ", reason.text),
      reason.pairs.length > 0 && h("p", {}, h("button", { type: "button", "aria-pressed": String(this.pairs), onclick: () => this.togglePairs() }, words.analysis.pairs)),
      marked && h("p", { class: "quiet legend" }, words.analysis.legend, nimbers && ` · ${words.analysis.legendNimbers}`),
      h("p", { class: "quiet proof" }, splitProof(analysis.text).proof),
    ];
  }

  retry() {
    this.view.at.judge();
    this.view.render();
  }

  togglePairs() {
    this.pairs = !this.pairs;
    this.view.render();
    /** @type {HTMLElement | null} */ (this.element.querySelector("[aria-pressed]"))?.focus({ preventScroll: true });
  }
}

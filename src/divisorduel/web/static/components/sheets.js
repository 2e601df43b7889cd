// Panels that are columns on a wide screen and sheets on a narrow one. One sheet is open at a time.

import { words } from "../words/words.js";
import { h, wide } from "./dom.js";

export class Sheets {
  constructor() {
    /** @type {Map<string, HTMLElement>} */
    this.panels = new Map();
    this.open = "";
    /** @type {Element | null} */
    this.before = null;
  }

  /** @param {string} name @param {string} label @param {...any} content */
  add(name, label, ...content) {
    const close = h("button", { type: "button", class: "plain close", "aria-label": words.close, onclick: () => this.close() }, "✕");
    const panel = h("aside", { class: `panel ${name}`, "aria-label": label }, close, content);
    this.panels.set(name, panel);
    return panel;
  }

  /** Open a sheet, or close it if it is open. On a wide screen, panels are always open. @param {string} name */
  toggle(name) {
    const wasOpen = this.open === name;
    this.close();
    const panel = this.panels.get(name);
    if (wasOpen || wide.matches || !panel) return;
    this.before = document.activeElement;
    this.open = name;
    panel.classList.add("open");
    panel.querySelector("button")?.focus();
  }

  /** Close the open sheet, and tell whether there was one. */
  close() {
    const panel = this.panels.get(this.open);
    this.open = "";
    if (!panel) return false;
    panel.classList.remove("open");
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
    return true;
  }
}

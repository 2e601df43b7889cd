// Sets up a position: numbers that are marked, another board, or a code or record that is pasted.

import { reach } from "../model/reach.js";
import { lastBoard } from "../model/settings.js";
import { words } from "../words/words.js";
import { h, put } from "./dom.js";
import { boardIn, field, parameterFields, select } from "./setup_sheet.js";
import { addressRow } from "./share_dialog.js";

const texts = words.analysis.settings;

export class PositionSetup {
  /** @param {import("../views/analysis_view.js").AnalysisView} view */
  constructor(view) {
    this.view = view;
    this.reached = reach();
    this.marker = h("button", { type: "button", "aria-pressed": "false", onclick: () => view.mark(!view.marking) }, texts.mark);
    this.last = h("select", { name: "last", onchange: () => this.chooseLast() });
    this.whole = h("button", { type: "button", onclick: () => this.open(() => view.at.open({ code: view.at.board.code, moves: [] })) }, texts.whole);
    const lastHelp = h("small", { class: "quiet" }, texts.lastHelp);
    this.marks = h("div", { class: "fields" }, this.marker, h("div", {}, field(texts.last, this.last), lastHelp), this.whole);
    this.byTaking = h("p", { class: "quiet" }, texts.byTaking);
    this.number = h("input", { name: "current", type: "number", inputmode: "numeric", min: 1, max: view.choices.limits.number, required: true });
    this.current = h("form", { class: "fields", onsubmit: (event) => this.setCurrent(event) }, field(texts.current, this.number), h("button", {}, texts.set));
    this.game = select("game", view.books.map((book) => [book.key, words.bothNames(book)]), "");
    this.game.addEventListener("change", () => this.fill());
    this.parameters = h("div", { class: "fields" });
    this.shares = h("div", { class: "shares" });
    this.element = h("div", { class: "positions" }, h("h2", {}, texts.heading), this.marks, this.byTaking, this.current, this.boards(), this.pasting(), this.shares);
    this.shown = "";
  }

  boards() {
    const submit = (event) => {
      event.preventDefault();
      this.open(() => this.view.at.openBoard(this.game.value, boardIn(this.parameters)));
    };
    return h("details", {}, h("summary", {}, texts.board), h("form", { class: "fields", onsubmit: submit }, field(texts.game, this.game), this.parameters, h("button", {}, texts.show)));
  }

  /** Open another position, and show it: on a phone, this sheet covers the board. @param {() => Promise<void>} change */
  open(change) {
    this.view.sheets.close();
    return this.view.attempt(change);
  }

  // The parameters of the chosen game: the given ones, or those of its last board.
  /** @param {Record<string, any>} [values] */
  fill(values) {
    const { books, choices } = this.view;
    const book = books.find(({ key }) => key === this.game.value) ?? books[0];
    put(this.parameters, parameterFields(book, values ?? lastBoard(book).board, choices.limits.number));
  }

  pasting() {
    const text = h("textarea", { rows: 3, spellcheck: "false", placeholder: texts.example, maxlength: this.view.choices.limits.record });
    const submit = (event) => {
      event.preventDefault();
      if (text.value.trim()) this.open(() => this.view.at.openText(text.value.trim()));
    };
    return h("details", {}, h("summary", {}, texts.paste), h("form", { class: "fields", onsubmit: submit }, field(texts.pasted, text), h("button", {}, texts.open)));
  }

  show() {
    const { marking, at: { position, board } } = this.view;
    this.marker.setAttribute("aria-pressed", String(marking));
    this.marks.hidden = !position.markable;
    this.byTaking.hidden = position.markable || !board.pool;
    this.current.hidden = board.pool;
    if (!board.pool && document.activeElement !== this.number) this.number.value = String(position.last ?? "");
    this.showLast(position, board);
    const key = `${position.game.key} ${position.game.board}`;
    if (this.shown !== key) {
      this.shown = key;
      this.game.value = position.game.key;
      this.fill(position.parameters);
    }
    if (this.shares.dataset.href === location.href) return;
    this.shares.dataset.href = location.href;
    const path = `/${location.hash}`;
    const link = addressRow(texts.link, location.href, { ready: this.reached.then(({ origin }) => origin + path) });
    put(this.shares, [link, addressRow(texts.code, position.code)]);
  }

  // Any number that is out of play can be the last one.
  showLast({ playable, last, markable }, { numbers }) {
    if (!markable) return;
    const left = new Set(playable);
    const out = numbers.filter((number) => !left.has(number));
    const key = String(out);
    if (this.last.dataset.out !== key) {
      this.last.dataset.out = key;
      put(this.last, h("option", { value: "-" }, texts.none), out.map((number) => h("option", { value: number }, String(number))));
    }
    this.last.value = String(last ?? "-");
  }

  chooseLast() {
    const { value } = this.last;
    this.view.attempt(() => this.view.at.openNumbers(this.view.at.position.playable, value));
  }

  setCurrent(event) {
    event.preventDefault();
    this.open(() => this.view.at.openNumbers([], this.number.value));
  }
}

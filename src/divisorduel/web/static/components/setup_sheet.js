// The sheet for a new match: opponent, level, board, starter and the rest.

import { call } from "../model/api.js";
import { enter } from "../model/new_match.js";
import { boards, isPrime, keepSettings, lastBoard, requestFor, settings } from "../model/settings.js";
import { words } from "../words/words.js";
import { h, show, write } from "./dom.js";

/** @typedef {import("../model/types.d.ts").RuleBook} RuleBook */

export const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
export const named = (values, names) => values.map((value) => [value, names[value] ?? value]);
const tick = (label, name, checked) => h("label", { class: "tick" }, h("input", { type: "checkbox", name, checked }), label);
export const select = (name, options, value) =>
  h("select", { name }, options.map(([key, label]) => h("option", { value: key, selected: key === String(value) }, label)));
export const segments = (legend, name, options, value) => h("fieldset", { class: "segments" }, h("legend", {}, legend), options.map(([key, label]) =>
  h("label", { class: "segment" }, h("input", { type: "radio", name, value: key, checked: key === String(value) }), h("span", {}, label))));

/** The fields for the parameters of a board. @param {RuleBook} book @param {Record<string, any>} board @param {number} largest */
export const parameterFields = (book, board, largest) => book.parameters.map(({ name, choices }) => {
  const input = choices
    ? select(name, named(choices, words.setup.openings), board[name])
    : h("input", { name, type: "number", inputmode: "numeric", min: 1, max: largest, step: 1, value: board[name], required: true });
  input.dataset.board = "";
  return field(words.setup.parameters[name] ?? name, input);
});

/** The board that such fields describe. @param {Element} form */
export function boardIn(form) {
  const inputs = [...form.querySelectorAll("[data-board]")].map((input) => /** @type {HTMLInputElement} */ (input));
  return Object.fromEntries(inputs.map((input) => [input.name, input.type === "number" ? Number(input.value) : input.value]));
}

const isLevel = (kind) => Number(kind) > 0;

export class SetupSheet {
  /**
   * @param {RuleBook} book @param {any} options @param {Record<string, any>} [preset]
   * @param {RuleBook[]} [books] the games to choose from, if the game is not chosen yet
   */
  constructor(book, options, preset = {}, books = []) {
    this.books = books;
    this.book = book;
    this.options = options;
    this.chosen = { ...settings(), ...preset };
    this.alert = h("p", { class: "reason", role: "alert" });
    const { then, hints, listed } = this.chosen;
    this.then = field(words.setup.then, select("then", named(options.then, words.setup.thens), then));
    this.hints = tick(words.setup.hints, "hints", this.chosen.opponent === "link" ? this.chosen.hintsOnline === true : hints);
    this.listed = tick(words.setup.listed, "listed", listed);
    this.warning = h("p", { class: "quiet", role: "status" });
    this.button = h("button", { class: "main", type: "submit" }, words.setup.play);
    const close = h("button", { type: "button", class: "plain", "aria-label": words.close, onclick: () => this.dialog.close() }, "✕");
    this.form = h(
      "form",
      { class: "setup", novalidate: true, onsubmit: (event) => this.submit(event), oninput: (event) => this.changed(event) },
      h("header", {}, h("div", {}, h("h2", { id: "sheet" }, book.title), h("p", { class: "short" }, book.nickname), h("p", { class: "quiet" }, words.sentence(book.move), " ", h("a", { href: `#/rules/${book.key}` }, words.setup.rules))), close),
      books.length > 0 && this.games(),
      segments(words.setup.opponent, "opponent", named(options.players.filter((who) => who !== "bot"), words.setup.opponents), this.chosen.opponent),
      (this.level = this.levels()),
      (this.friend = field(words.setup.friend, this.text("friend", words.setup.defaultFriend))),
      this.boardFields(),
      segments(words.setup.starter, "first", named(options.first, words.setup.starters), this.chosen.first),
      (this.details = this.more()),
      this.warning,
      this.alert,
      h("div", { class: "buttons" }, this.button),
    );
    this.dialog = h("dialog", { class: "sheet", "aria-labelledby": "sheet" }, this.form);
    this.showPeople();
    this.warn();
  }

  open() {
    show(this.dialog);
    this.button.focus({ preventScroll: true });
  }

  // Another game has another board: it gets a sheet of its own, with the same opponent.
  games() {
    const list = select("game", this.books.map((one) => [one.key, words.bothNames(one)]), this.book.key);
    list.addEventListener("change", () => {
      const book = this.books.find(({ key }) => key === list.value) ?? this.book;
      this.dialog.close();
      const sheet = new SetupSheet(book, this.options, { opponent: this.chosen.opponent }, this.books);
      sheet.open();
      sheet.form.querySelector("select")?.focus();
    });
    return field(words.setup.game, list);
  }

  text(name, placeholder) {
    return h("input", { name, value: this.chosen[name] ?? "", placeholder, maxlength: this.options.limits.name, autocomplete: "off" });
  }

  // A slider for the levels, and a list that also has the other players.
  levels() {
    const { computers, bots } = this.options;
    const numbered = [...computers.filter(isLevel), ...computers.filter((kind) => kind === "perfect")];
    const others = [...computers.filter((kind) => !numbered.includes(kind)), ...bots];
    const list = select("level", [...numbered, ...others].map((kind) => [kind, words.setup.levels(kind)]), this.chosen.level);
    list.setAttribute("aria-label", words.setup.level);
    const word = h("span", { class: "quiet word" });
    const slider = h("input", { type: "range", min: 0, max: numbered.length - 1, "aria-label": words.setup.strength });
    const follow = () => {
      slider.value = String(Math.max(0, numbered.indexOf(list.value)));
      slider.setAttribute("aria-valuetext", words.setup.levels(list.value));
      write(word, words.setup.strengths(list.value));
    };
    slider.addEventListener("input", () => {
      list.value = numbered[Number(slider.value)];
      follow();
    });
    list.addEventListener("input", follow);
    follow();
    return h("fieldset", { class: "levels" }, h("legend", {}, words.setup.level), slider, list, word);
  }

  boardFields() {
    const { size, board } = lastBoard(this.book);
    const sizes = boards(this.book);
    const chips = ["small", "classic", "large", "custom"].map((key) => [key, [words.setup.sizes[key], sizes[key] && [" ", h("small", {}, words.setup.span(sizes[key]))]]]);
    this.custom = h("div", { class: "fields", hidden: size !== "custom" }, parameterFields(this.book, board, this.options.limits.number));
    const fieldset = segments(words.setup.board, "size", chips, size);
    fieldset.append(this.custom);
    return fieldset;
  }

  more() {
    const { rounds, undo } = this.chosen;
    return h("details", { open: Number(rounds) > 1 },
      h("summary", {}, words.setup.more),
      h("div", { class: "fields" },
        field(words.setup.you, this.text("you", words.setup.defaultYou)),
        field(words.setup.rounds, h("input", { name: "rounds", type: "number", min: 1, max: this.options.limits.rounds, value: rounds, required: true })),
        this.then,
        tick(words.setup.undo, "undo", undo),
        this.hints,
        this.listed));
  }

  changed({ target }) {
    if (target.name === "size" && target.value !== "custom") {
      const board = boards(this.book)[target.value];
      for (const input of this.inputs) input.value = String(board[input.name]);
    }
    if (target.name === "size" && this.custom) this.custom.hidden = target.value !== "custom";
    if (target.name === "opponent") {
      const [hints] = this.hints.getElementsByTagName("input");
      hints.checked = target.value === "link" ? this.chosen.hintsOnline === true : true;
    }
    this.remember();
    this.showPeople();
    this.warn();
  }

  /** @returns {(HTMLInputElement | HTMLSelectElement)[]} */
  get inputs() {
    return [...this.form.querySelectorAll("[data-board]")].map((input) => /** @type {HTMLInputElement} */ (input));
  }

  get board() {
    return boardIn(this.form);
  }

  showPeople() {
    const { opponent, rounds } = this.chosen;
    this.level.hidden = opponent !== "computer";
    this.friend.hidden = opponent !== "here";
    this.listed.hidden = opponent !== "link";
    this.then.hidden = Number(rounds) < 2;
  }

  // A prime leaves the first player without a move.
  warn() {
    const number = Number(this.board.number);
    write(this.warning, isPrime(number) ? words.setup.prime(number) : "");
  }

  // Store each choice immediately, so that none is lost on a visit to the rules.
  remember() {
    const data = new FormData(this.form);
    const { chosen, book } = this;
    const board = this.board;
    for (const [key, value] of data) if (!(key in board) && key !== "size") chosen[key] = value;
    for (const name of ["undo", "hints", "listed"]) chosen[name] = data.has(name);
    if (chosen.opponent === "link") chosen.hintsOnline = chosen.hints;
    chosen.game = book.key;
    const custom = data.get("size") === "custom" ? { boards: { ...chosen.boards, [book.key]: board } } : {};
    Object.assign(chosen, custom, { sizes: { ...chosen.sizes, [book.key]: data.get("size") } });
    keepSettings({ ...chosen, hints: chosen.opponent === "link" ? settings().hints : chosen.hints });
  }

  async submit(event) {
    event.preventDefault();
    this.remember();
    const invalid = this.form.querySelector("input:invalid");
    if (invalid instanceof HTMLInputElement) {
      this.details.open = true;
      return invalid.reportValidity();
    }
    if (this.warning.textContent) return write(this.alert, words.setup.notPrime);
    if (this.button.disabled) return;
    this.button.disabled = true;
    await enter(this.alert, () => call("matches", { body: requestFor(this.book, this.chosen, this.board) }));
    this.button.disabled = false;
  }
}


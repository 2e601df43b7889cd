// The rules of a game, with an example that plays itself.

import { call, ruleBooks } from "../model/api.js";
import { Board } from "../components/board.js";
import { h, reducedMotion, write } from "../components/dom.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const PACE = 1800;

/** @param {string} [wanted] the key of a game @param {string} [id] the match from which the rules were opened */
export async function rules(wanted, id) {
  const [books, game] = await Promise.all([ruleBooks(), gameOf(id)]);
  const book = books.find((one) => one.key === wanted) ?? books[0];
  const example = new Example(book);
  const element = h(
    "article",
    { class: "rules" },
    h("nav", { "aria-label": words.rules.others, class: "tabs" },
      books.map((one) => h("a", { href: `#/rules/${one.key}`, "aria-current": one === book ? "page" : null }, words.bothNames(one)))),
    h("h1", {}, words.rules.heading(book.title)),
    h("p", { class: "short" }, [book.nickname, game ? words.rules.yours(game.span) : book.board].filter(Boolean).join(" · ")),
    h("p", {}, game
      ? h("a", { class: "button main", href: `#/match/${id}` }, words.history.now)
      : h("a", { class: "button main", href: "#/", onclick: () => storage.keepChoices({ ...storage.choices(), game: book.key }) }, words.rules.play)),
    h("div", { class: "columns" },
      h("section", {}, h("h2", {}, words.rules.howTo), paragraphs(book, game).map((text) => h("p", {}, text)),
        h("p", {}, book.wrong_number === "forfeit" ? words.rules.wrongForfeit : words.rules.wrongAgain)),
      example.element,
    ),
    h("section", {}, h("h2", {}, words.rules.tips), book.tips.map((text) => h("p", {}, text))),
  );
  const ready = () => {
    element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    if (!reducedMotion.matches) example.play();
  };
  return { element, title: words.rules.heading(words.title(book)), leave: () => example.stop(), ready };
}

// The game of a match, with the board in play; null if it cannot be loaded.
async function gameOf(id) {
  const key = id && storage.keyTo(id);
  if (!key) return null;
  try {
    return (await call(`matches/${id}`, { key })).match.game;
  } catch {
    return null;
  }
}

// The rules name the numbers of the usual board. In a match they speak of the board in play.
function paragraphs({ rules: [first, ...rest], own_board: own }, game) {
  return [game && own ? [own, game.note].filter(Boolean).join(" ") : first, ...rest];
}

class Example {
  constructor({ example }) {
    this.round = example.round;
    this.remarks = example.remarks;
    this.at = 0;
    this.board = new Board(example.board, () => {});
    this.board.element.inert = true; // the text below it says what happens
    this.board.element.style.setProperty("--rows", String(Math.ceil(example.board.numbers.length / this.board.columns)));
    this.said = h("p", { "aria-live": "polite", class: "said" });
    this.button = h("button", { type: "button", onclick: () => this.toggle() }, words.rules.run);
    this.element = h(
      "section",
      { class: "example" },
      h("h2", {}, words.rules.example(example.span)),
      this.board.element,
      this.said,
      this.button,
    );
    this.show();
  }

  toggle() {
    if (this.timer) this.stop();
    else this.play();
  }

  play() {
    if (this.at >= this.round.turns.length) this.at = 0;
    this.show();
    this.timer = setInterval(() => this.next(), PACE);
    write(this.button, words.rules.pause);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    write(this.button, this.at >= this.round.turns.length ? words.rules.again : words.rules.run);
  }

  next() {
    this.at += 1;
    this.show();
    if (this.at >= this.round.turns.length) this.stop();
  }

  show() {
    const { turns } = this.round;
    const done = turns.slice(0, this.at);
    const gone = new Set(done.flatMap((turn) => [turn.number, ...turn.gone]));
    const current = done.at(-1);
    this.board.show({
      legal: turns[this.at]?.legal ?? [],
      playable: this.board.numbers.filter((number) => !gone.has(number)),
      turns: done.map((turn, at) => ({ ...turn, turn: at + 1 })),
      last: current?.number,
      just: current?.number,
      names: words.rules.players,
      canMove: false,
    });
    write(this.said, this.caption(current));
  }

  caption(current) {
    if (!current) return words.rules.start;
    const [one, two] = words.rules.players;
    const remark = this.remarks[this.at] ?? "";
    const took = words.rules.takes(this.at, words.rules.players[current.seat - 1], current.number);
    const over = this.at === this.round.turns.length ? words.rules.over(current.seat === 1 ? two : one, current.seat === 1 ? one : two) : "";
    return [took, remark, over].filter(Boolean).join(" ");
  }
}

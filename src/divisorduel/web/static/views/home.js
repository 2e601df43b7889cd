// The home view: a form for a new game, open games, your games, and saved games.

import { call, options, ruleBooks } from "../model/api.js";
import { h, put, write } from "../components/dom.js";
import { describe, enter, resume } from "../model/new_match.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const REFRESH = 4000;

export async function home() {
  const [books, choices] = await Promise.all([ruleBooks(), options()]);
  const alert = h("p", { class: "reason", role: "alert" });
  const setup = new Setup(books, choices, alert);
  const lobby = h("div");
  const element = h(
    "div",
    { class: "home" },
    h("section", { "aria-labelledby": "play" }, h("h1", { id: "play" }, words.setup.heading), h("p", {}, words.setup.lead), setup.form, alert),
    h("div", { class: "beside" }, lobbySection(lobby), mine(), recordSection()),
  );
  const refresh = () => showLobby(lobby, setup, alert);
  refresh();
  const timer = setInterval(refresh, REFRESH);
  return { element, leave: () => clearInterval(timer) };
}

class Setup {
  constructor(books, options, alert) {
    this.books = new Map(books.map((book) => [book.key, book]));
    this.options = options;
    this.alert = alert;
    this.chosen = { game: "chain", opponent: "computer", level: "3", ...storage.choices() };
    if (!this.books.has(this.chosen.game)) this.chosen.game = "chain";
    this.board = h("fieldset", { class: "fields" });
    this.people = h("fieldset", { class: "fields" });
    this.more = h("div", { class: "fields" });
    this.form = h(
      "form",
      { class: "setup", onsubmit: (event) => this.submit(event), oninput: (event) => this.changed(event) },
      h("fieldset", { class: "cards" }, h("legend", {}, words.setup.game), books.map((book) => this.card(book))),
      this.board,
      this.people,
      (this.details = h("details", { open: Number(this.chosen.rounds) > 1 }, h("summary", {}, words.setup.more), this.more)),
      (this.button = h("button", { class: "main", type: "submit" }, words.setup.play)),
    );
    // An invalid field must be visible.
    this.more.addEventListener("invalid", () => (this.details.open = true), true);
    this.showBoard();
    this.buildPeople();
  }

  card(book) {
    return h(
      "div",
      { class: "card" },
      h(
        "label",
        {},
        h("input", { type: "radio", name: "game", value: book.key, checked: book.key === this.chosen.game }),
        h("strong", {}, words.title(book)),
        h("span", { class: "quiet" }, `${book.title} · ${book.board}`),
        h("span", {}, words.sentence(book.move)),
      ),
      h("a", { href: `#/rules/${book.key}`, "aria-label": words.setup.rulesOf(words.title(book)) }, words.setup.rules),
    );
  }

  changed({ target }) {
    if (target.name === "game") {
      this.remember();
      this.showBoard();
    } else if (target.name === "opponent") {
      this.hints.querySelector("input").checked = target.value !== "link";
      this.showPeople(target.value);
    } else if (target.name === "rounds") {
      this.then.hidden = Number(target.value) < 2;
    }
  }

  showBoard() {
    const book = this.books.get(this.chosen.game);
    const start = { ...book.first_board, ...this.chosen.boards?.[book.key] };
    put(
      this.board,
      h("legend", {}, words.setup.board),
      book.parameters.map(({ name, choices, default: usual }) => {
        const label = words.setup.parameters[name] ?? name;
        const value = start[name] ?? usual ?? "";
        return choices
          ? choice(label, name, named(choices, words.setup.openings), value)
          : field(label, h("input", { name, type: "number", inputmode: "numeric", min: 1, max: this.options.limits.number, step: 1, value, required: true, "data-board": "" }));
      }),
    );
    for (const select of this.board.querySelectorAll("select")) select.dataset.board = "";
  }

  buildPeople() {
    const { opponent, level, you = "", friend = "", first = "1" } = this.chosen;
    const { rounds = "1", then = "alternate", undo = true, listed = false } = this.chosen;
    const { computers, players, first: starters, then: thens, limits } = this.options;
    const text = (name, value, placeholder) => h("input", { name, value, placeholder, maxlength: limits.name, autocomplete: "off" });
    this.level = choice(words.setup.level, "level", levelsFirst(computers).map((kind) => [kind, words.setup.levels(kind)]), level);
    this.friend = field(words.setup.friend, text("friend", friend, words.setup.defaultFriend));
    this.then = choice(words.setup.then, "then", named(thens, words.setup.thens), then);
    this.hints = tick(words.setup.hints, "hints", opponent !== "link");
    this.listed = tick(words.setup.listed, "listed", listed);
    put(
      this.people,
      h("legend", {}, words.setup.opponent),
      choice(words.setup.opponent, "opponent", named(players, words.setup.opponents), opponent),
      this.level,
      field(words.setup.you, text("you", you, words.setup.defaultYou)),
      this.friend,
      choice(words.setup.starter, "first", named(starters, words.setup.starters), first),
    );
    put(
      this.more,
      field(words.setup.rounds, h("input", { name: "rounds", type: "number", min: 1, max: limits.rounds, value: rounds, required: true })),
      this.then,
      tick(words.setup.undo, "undo", undo),
      this.hints,
      this.listed,
    );
    this.then.hidden = Number(rounds) < 2;
    this.showPeople(opponent);
  }

  showPeople(opponent) {
    this.level.hidden = opponent !== "computer";
    this.friend.hidden = opponent !== "here";
    this.listed.hidden = opponent !== "link";
  }

  remember() {
    const data = new FormData(this.form);
    const { boards = {} } = this.chosen;
    const board = {};
    for (const input of this.form.querySelectorAll("[data-board]")) {
      board[input.name] = input.type === "number" ? Number(input.value) : input.value;
    }
    const named = Object.fromEntries([...data.keys()].filter((key) => !(key in board)).map((key) => [key, data.get(key)]));
    for (const name of ["undo", "hints", "listed"]) named[name] = data.has(name);
    this.chosen = { ...this.chosen, ...named, boards: { ...boards, [this.chosen.game]: board } };
    return board;
  }

  async submit(event) {
    event.preventDefault();
    const board = this.remember();
    storage.keepChoices(this.chosen);
    const { game, opponent, level, you, friend, first, rounds, then = "alternate", undo, hints, listed } = this.chosen;
    const person = (who, name) => (name?.trim() ? { who, name: name.trim() } : { who });
    const players = [
      person("here", you),
      opponent === "computer" ? { who: "computer", kind: level } : person(opponent, opponent === "here" ? friend : ""),
    ];
    const body = { game, board, players, first, rounds: Number(rounds), then, undo, hints, listed: opponent === "link" && listed };
    if (this.button.disabled) return;
    this.button.disabled = true;
    await enter(this.alert, () => call("matches", { body }));
    this.button.disabled = false;
  }
}

const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
const named = (values, names) => values.map((value) => [value, names[value] ?? value]);
const isLevel = (kind) => Number(kind) > 0;
const levelsFirst = (kinds) => [...kinds.filter(isLevel), ...kinds.filter((kind) => !isLevel(kind)).reverse()];
const tick = (label, name, checked) => h("label", { class: "tick" }, h("input", { type: "checkbox", name, checked }), label);
const choice = (label, name, options, value) =>
  field(
    label,
    h("select", { name }, options.map(([key, label]) => h("option", { value: key, selected: key === String(value) }, label))),
  );

// --- open games

function lobbySection(lobby) {
  return h("section", { "aria-labelledby": "lobby" }, h("h2", { id: "lobby" }, words.lobby.heading), lobby);
}

async function showLobby(lobby, setup, alert) {
  let waiting;
  try {
    waiting = (await call("matches")).filter((one) => !storage.game(one.id));
  } catch (error) {
    delete lobby.dataset.shown;
    return put(lobby, h("p", { class: "quiet" }, error.message));
  }
  const key = JSON.stringify(waiting);
  if (lobby.dataset.shown === key) return;
  lobby.dataset.shown = key;
  const focused = document.activeElement?.dataset?.match;
  put(
    lobby,
    waiting.length
      ? h("ul", { class: "list" }, waiting.map((one) => h("li", {}, lobbyRow(one, setup, alert))))
      : h("p", { class: "quiet" }, words.lobby.none),
  );
  if (focused) lobby.querySelector(`[data-match="${focused}"]`)?.focus();
}

function lobbyRow(one, setup, alert) {
  return h(
    "button",
    { type: "button", "data-match": one.id, onclick: () => joinListed(one, setup, alert) },
    h("strong", {}, words.lobby.join(one.host)),
    h("span", { class: "quiet" }, words.lobby.about(one.game, one.rounds, one.starts)),
  );
}

async function joinListed(one, setup, alert) {
  setup.remember();
  storage.keepChoices(setup.chosen);
  const name = setup.chosen.you?.trim();
  try {
    const joined = await call(`matches/${one.id}/join`, { body: name ? { name } : {} });
    storage.keep({ id: one.id, key: joined.key, ...describe(joined.match) });
    location.hash = `#/match/${one.id}`;
  } catch (error) {
    write(alert, error.message);
  }
}

// --- your games

function mine() {
  const games = storage.games();
  if (!games.length) return null;
  const rows = games.slice(0, 8).map((one) => {
    const row = h(
      "li",
      { class: "row" },
      h("a", { href: `#/match/${one.id}` }, words.mine.about(one)),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": words.mine.forget(one), onclick: () => {
          storage.forget(one.id);
          const next = row.nextElementSibling ?? row.previousElementSibling;
          row.remove();
          (next?.querySelector("a") ?? document.querySelector("main")).focus();
        } },
        "✕",
      ),
    );
    return row;
  });
  return h("section", { "aria-labelledby": "mine" }, h("h2", { id: "mine" }, words.mine.heading), h("ul", { class: "list" }, rows));
}

// --- records

function recordSection() {
  const alert = h("p", { class: "reason", role: "alert" });
  const input = h("input", {
    type: "file",
    accept: ".duel,.txt,text/plain",
    onchange: async () => {
      const [file] = input.files;
      if (file) await resume(file, alert);
      input.value = ""; // so that the same file can be chosen again after a correction
    },
  });
  return h(
    "section",
    { "aria-labelledby": "record" },
    h("h2", { id: "record" }, words.record.heading),
    h("p", { class: "quiet" }, words.record.lead),
    h("label", { class: "field" }, h("span", {}, words.record.choose), input),
    alert,
  );
}

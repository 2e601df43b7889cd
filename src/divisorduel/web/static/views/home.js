// The home view: play with the last settings, choose a game, continue one.

import { h, write } from "../components/dom.js";
import { openGames, savedGame, yourGames } from "../components/lobby.js";
import { animate, miniature } from "../components/miniature.js";
import { SetupSheet } from "../components/setup_sheet.js";
import { addressOf } from "../model/analysis_address.js";
import { call, options, ruleBooks } from "../model/api.js";
import { enter } from "../model/new_match.js";
import { isPrime, lastBoard, requestFor, settings } from "../model/settings.js";
import { words } from "../words/words.js";

const showStatistics = async () => (await import("../components/statistics_dialog.js")).showStatistics();

/** @typedef {import("../model/types.d.ts").RuleBook} RuleBook */

const FIRST = "juniper"; // the game that teachers look for

export async function home() {
  const [books, choices] = await Promise.all([ruleBooks(), options()]);
  const alert = h("p", { class: "reason", role: "alert" });
  const book = books.find((one) => one.key === settings().game) ?? books[0];
  const sorted = [...books].sort((one, other) => Number(other.key === FIRST) - Number(one.key === FIRST));
  const small = sorted.map((one) => ({ book: one, picture: miniature(one) }));
  const large = miniature(book);
  const lobby = openGames(alert);
  const element = h(
    "div",
    { class: "home" },
    h("section", { class: "hero", "aria-labelledby": "play" },
      h("h1", { id: "play" }, words.home.heading),
      h("p", { class: "quiet" }, words.setup.lead),
      playButton(book, choices, alert),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => new SetupSheet(book, choices, { opponent: "link" }, sorted).open() }, words.home.friend),
        h("a", { class: "button", href: `#/rules/${book.key}` }, words.home.learn),
        h("a", { class: "button", href: "#/analysis" }, words.home.analyse)),
      codeForm(),
      alert),
    h("div", { class: "beside" }, yourGames() ?? h("div", { class: "showcase" }, large.element), lobby.element),
    h("section", { class: "wholerow", "aria-labelledby": "games" },
      h("h2", { id: "games" }, words.home.games),
      h("ul", { class: "games" }, small.map(({ book: one, picture }) => h("li", {}, gameTile(one, picture, choices))))),
    h("footer", { class: "foot wholerow" },
      savedGame(),
      h("p", { class: "row" }, h("button", { type: "button", class: "plain", onclick: showStatistics }, words.statistics.heading), h("a", { href: "/docs" }, words.footer.api))),
  );
  const stop = animate([large, ...small.map(({ picture }) => picture)]);
  return { element, leave: () => (stop(), lobby.stop()) };
}

/** @param {RuleBook} book @param {any} choices @param {Element} alert */
function playButton(book, choices, alert) {
  const chosen = settings();
  const button = h("button", { type: "button", class: "main play", onclick: async () => {
    const { board } = lastBoard(book);
    if (isPrime(board.number)) return new SetupSheet(book, choices).open(); // it says what is wrong
    if (button.disabled) return;
    button.disabled = true;
    await enter(alert, () => call("matches", { body: requestFor(book, chosen, board) }));
    button.disabled = false;
  } }, h("span", {}, words.setup.play), h("small", {}, words.home.last(book, chosen)));
  return button;
}

function gameTile(book, picture, choices) {
  return h(
    "button",
    { type: "button", "data-game": book.key, onclick: () => new SetupSheet(book, choices).open() },
    picture.element,
    h("span", {},
      h("strong", {}, book.title),
      h("span", { class: "short" }, book.nickname),
      h("span", { class: "rule" }, words.sentence(book.move))),
  );
}

// Open a link to a game, the part of it that names the game, or a position to analyse.
function codeForm() {
  const input = h("input", { name: "code", autocomplete: "off", spellcheck: "false", placeholder: words.home.code, "aria-label": words.home.code });
  const alert = h("p", { class: "reason", role: "alert" });
  const open = (event) => {
    event.preventDefault();
    const position = positionIn(input.value.trim());
    if (position) return (location.hash = position);
    const found = /#\/match\/([\w/-]+)\s*$/.exec(input.value) ?? /(?:^|\s)([\w-]{10}(?:\/[\w-]{10,})?)\s*$/.exec(input.value);
    if (found) location.hash = `#/match/${found[1]}`;
    else write(alert, input.value.trim() ? words.home.noCode : "");
  };
  return h("form", { onsubmit: open }, h("div", { class: "code" }, input, h("button", {}, words.home.join)), alert);
}

// The address of an analysis, if a text is a link to one or a position code, which has four words.
function positionIn(text) {
  const [link] = /#\/analysis\/\S+/.exec(text) ?? [];
  return link ?? (text.split(/\s+/).length === 4 ? addressOf(text) : undefined);
}

// Where the parts of a match are: three columns on a wide screen, one screen with sheets on a phone.

import { h } from "../components/dom.js";
import { words } from "../words/words.js";

/** @param {import("./match_view.js").MatchView} view */
export function layOut(view) {
  const { game } = view.view;
  const { sheets, players, message, actions, coach, review, history, result } = view;
  const heading = h("h1", { class: "small" });
  const current = h("p", { class: "current", hidden: view.boardData.pool });
  const waiting = h("section", { class: "waiting", hidden: true });
  const graphBox = h("section", { class: "graphbox", hidden: true });
  const boardBox = h("div", { class: "boardbox" }, view.board.element);
  const number = h("input", { name: "number", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, autocomplete: "off", placeholder: words.match.enter, "aria-label": words.match.enter });
  const entry = h(
    "form",
    { class: "entry", onsubmit: (event) => {
      event.preventDefault();
      const digits = number.value.trim();
      number.value = "";
      if (/^[0-9]{1,15}$/.test(digits)) view.commands.take(Number(digits));
    } },
    number,
    h("button", {}, words.match.take),
  );
  const rules = [words.sentence(game.move), game.note, words.match.lose].filter(Boolean);
  const rule = h("button", { type: "button", class: "plain narrow rule", onclick: () => message.toggle(rules.join(" ")) }, words.match.rule);
  const title = h("div", { class: "named" }, heading, rule);
  const element = h(
    "div",
    { class: view.typesNumbers ? "table typed" : "table", "data-rules": `#/rules/${game.key}/${view.id}` },
    h("div", { class: "left" },
      h("section", { class: "brief", "aria-label": words.actions.rules }, h("h2", {}, game.title), h("p", { class: "short" }, game.nickname), h("ul", {}, rules.map((text) => h("li", {}, text)))),
      h("div", { class: "coach" }, coach.element, review.element),
      sheets.add("more", words.actions.menu, actions.menu)),
    h("div", { class: "centre" },
      players.top,
      h("div", { class: "stage" }, current, boardBox, waiting),
      players.bottom,
      h("div", { class: "dock" }, message.element, message.spoken, h("div", { class: "controls" }, entry, actions.bar)),
      result.element),
    sheets.add("side", words.history.heading, history.element, graphBox),
  );
  return { element, title, heading, current, waiting, graphBox, boardBox, entry };
}

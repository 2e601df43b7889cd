// Where the parts of the analysis board are: three columns on a wide screen, one screen with sheets on a phone.

import { h } from "../components/dom.js";
import { icon } from "../components/icon.js";
import { sharePosition } from "../components/share_dialog.js";
import { words } from "../words/words.js";

const texts = words.analysis;

/** @param {import("./analysis_view.js").AnalysisView} view */
export function layOut(view) {
  const { sheets, strip, message, advice, setup, list } = view;
  const heading = h("h1", { class: "small" });
  const share = h("button", { type: "button", class: "plain", onclick: () => sharePosition(view.at.position.code, texts.settings) }, texts.share);
  const title = h("div", { class: "named" }, heading, share);
  const current = h("p", { class: "current" });
  const boardBox = h("div", { class: "boardbox" });
  const graphBox = h("section", { class: "graphbox", "aria-label": texts.graph });
  const about = h("section", { class: "brief" });
  const number = h("input", { name: "number", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, autocomplete: "off", placeholder: words.match.enter, "aria-label": words.match.enter });
  const entry = h("form", { class: "entry", onsubmit: (event) => {
    event.preventDefault();
    const digits = number.value.trim();
    number.value = "";
    if (/^[0-9]{1,15}$/.test(digits)) view.choose(Number(digits));
  } }, number, h("button", {}, words.match.take));
  const button = (name, does, properties = {}) =>
    h("button", { type: "button", onclick: does, ...properties }, icon(name), h("span", { class: "label" }, texts[name], name === "play" && h("span", { class: "wide" }, texts.here)));
  const buttons = {
    back: button("back", () => view.step(-1), { "aria-keyshortcuts": "ArrowLeft" }),
    forward: button("forward", () => view.step(1), { "aria-keyshortcuts": "ArrowRight" }),
    why: button("why", () => advice.toggle(), { class: "narrow", "aria-keyshortcuts": "w" }),
    moves: button("moves", () => view.openMoves(), { class: "narrow" }),
    setUp: button("setUp", () => sheets.toggle("more"), { class: "narrow" }),
    play: button("play", () => view.play(), { class: "main", "aria-label": texts.playHere, "aria-keyshortcuts": "p" }),
  };
  const remove = h("button", { type: "button", class: "plain remove", onclick: () => view.attempt(() => view.at.remove()) }, texts.remove);
  const element = h(
    "div",
    { class: "table analysis" },
    h("div", { class: "left" }, about, h("div", { class: "coach" }, advice.element), sheets.add("more", texts.setUp, setup.element)),
    h("div", { class: "centre" },
      strip.element,
      h("div", { class: "stage" }, current, boardBox),
      h("div", { class: "dock" }, message.element, message.spoken,
        h("div", { class: "controls" }, entry, h("div", { class: "bar", role: "group", "aria-label": words.actions.label }, Object.values(buttons))))),
    sheets.add("side", texts.moves, h("h2", {}, texts.moves), list.element, h("p", {}, remove), graphBox),
  );
  return { element, title, heading, current, boardBox, graphBox, about, entry, buttons, remove };
}

/** The name of a game and its rules in three lines. @param {import("../model/types.d.ts").Game} game */
export const aboutGame = (game) => [
  h("h2", {}, game.title),
  h("p", { class: "short" }, game.nickname),
  h("ul", {}, [words.sentence(game.move), game.note, words.match.lose].filter(Boolean).map((text) => h("li", {}, text))),
];

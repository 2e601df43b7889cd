// Games to continue and games to join.

import { call } from "../model/api.js";
import { describe, resume } from "../model/new_match.js";
import { settings } from "../model/settings.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";
import { ask, h, put, write } from "./dom.js";

const REFRESH = 4000;
const MOST_SHOWN = 6;

/** Open games, shown only when there are some. @param {Element} alert */
export function openGames(alert) {
  const list = h("ul", { class: "list" });
  const element = h("section", { "aria-labelledby": "lobby", hidden: true }, h("h2", { id: "lobby" }, words.lobby.heading), list);
  let shown = "";
  const refresh = async () => {
    let waiting = [];
    try {
      waiting = (await call("matches")).filter((one) => !storage.game(one.id));
    } catch {
      // The next refresh tries again.
    }
    const key = JSON.stringify(waiting);
    if (shown === key) return;
    shown = key;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.match : "";
    element.hidden = !waiting.length;
    put(list, waiting.map((one) => h("li", {}, openGame(one, alert))));
    const again = focused && list.querySelector(`[data-match="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  };
  refresh();
  const timer = setInterval(refresh, REFRESH);
  return { element, stop: () => clearInterval(timer) };
}

function openGame(one, alert) {
  return h(
    "button",
    { type: "button", "data-match": one.id, onclick: () => join(one, alert) },
    h("strong", {}, words.lobby.join(one.host)),
    h("span", { class: "quiet" }, words.lobby.about(one.game, one.rounds, one.starts)),
  );
}

async function join(one, alert) {
  const name = settings().you?.trim();
  try {
    const joined = await call(`matches/${one.id}/join`, { body: name ? { name } : {} });
    storage.keep({ id: one.id, key: joined.key, ...describe(joined.match, [joined.seat]) });
    location.hash = `#/match/${one.id}`;
  } catch (error) {
    write(alert, error.message);
  }
}

const isOpen = (one) => one.state === undefined || one.state === "playing" || one.state === "waiting";

/** Your games: unfinished ones first, with whose turn it is; then results. */
export function yourGames() {
  const games = storage.games();
  if (!games.length) return null;
  const sorted = [...games.filter(isOpen), ...games.filter((one) => !isOpen(one))].slice(0, MOST_SHOWN);
  return h("section", { "aria-labelledby": "mine" }, h("h2", { id: "mine" }, words.mine.heading), h("ul", { class: "list" }, sorted.map(yourGame)));
}

// The list has the only key to a game: without it, your seat is lost.
async function isSure() {
  const answer = await ask(words.mine.sure, [
    { label: words.mine.keep, value: "", kind: "main" },
    { label: words.mine.remove, value: "yes" },
  ]);
  return answer === "yes";
}

function yourGame(one) {
  const badge = h("span", { class: "badge" });
  const showBadge = (game) => {
    const { text, yours } = words.mine.badge(game);
    write(badge, text);
    badge.classList.toggle("turn", yours);
    badge.hidden = !text;
  };
  let latest = one;
  showBadge(one);
  if (isOpen(one)) {
    call(`matches/${one.id}`, { key: one.key }).then(({ match, seats }) => showBadge((latest = { ...one, ...describe(match, seats) })), () => {});
  }
  const row = h(
    "li",
    {},
    h("a", { href: `#/match/${one.id}` }, h("strong", {}, one.title), badge, h("span", { class: "quiet" }, words.mine.about(one))),
    h("button", { type: "button", class: "plain", title: words.mine.remove, "aria-label": words.mine.forget(one), onclick: async () => {
      if (isOpen(latest) && !(await isSure())) return;
      storage.forget(one.id);
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      (next?.querySelector("a") ?? document.querySelector("main"))?.focus();
    } }, "✕"),
  );
  return row;
}

export function savedGame() {
  const alert = h("p", { class: "reason", role: "alert" });
  const input = h("input", {
    type: "file",
    accept: ".duel,.txt,text/plain",
    onchange: async () => {
      const file = input.files?.[0];
      if (file) await resume(file, alert);
      input.value = ""; // so that the same file can be chosen again after a correction
    },
  });
  return h(
    "section",
    { "aria-labelledby": "record" },
    h("details", {},
      h("summary", { id: "record" }, words.record.heading),
      h("p", { class: "quiet" }, words.record.lead),
      h("label", { class: "field" }, h("span", {}, words.record.choose), input)),
    alert,
  );
}

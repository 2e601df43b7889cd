// Opens a match that was found, or joins it first.

import { call, options, ruleBooks } from "../model/api.js";
import { h, nextTask, write } from "../components/dom.js";
import { MatchView } from "./match_view.js";
import { actOf } from "../model/act.js";
import { showAddress } from "../model/match_address.js";
import { describe } from "../model/new_match.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

/** @param {Awaited<ReturnType<import("../model/match_lookup.js").findMatch>>} found */
export async function match({ id, key, given, place, seen, boardData }) {
  if (given) storage.keepKey(id, key, describe(seen.match, seen.seats));
  // Remove the key from the address bar, where others could read it.
  showAddress(id, place);
  const free = seen.seats.find((seat) => !seen.match.joined[seat - 1]);
  if (free && seen.match.state === "waiting") return joining(id, key, seen, free, await options());
  const [board, books] = await Promise.all([boardData, ruleBooks()]);
  const act = actOf(books.find((book) => book.key === seen.match.game.key));
  const view = new MatchView(id, key, seen, board, act);
  await nextTask();
  view.start();
  return { element: view.element, heading: view.parts.title, leave: () => view.leave(), ready: () => (view.ready(), open(view, place)) };
}

/** @param {MatchView} view @param {import("../model/match_address.js").Place} place */
function open(view, { round, turn, review }) {
  if (review && view.view.results.length) view.review.start(round);
  else if (turn !== undefined) view.history.look(turn, round);
}

// If you joined but the answer was lost, your new key already opens the match.
const hasJoined = (id, own, error) => call(`matches/${id}`, { key: own }).catch(() => Promise.reject(error));

// Make a key that cannot be guessed.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// Show the form for joining by the link to a free seat.
function joining(id, key, { match: agreed }, seat, { limits }) {
  const alert = h("p", { class: "reason", role: "alert" });
  const host = agreed.names[seat === 1 ? 1 : 0];
  const { game } = agreed;
  const name = h("input", { name: "name", maxlength: limits.name, autocomplete: "off", value: storage.choices().you ?? "", placeholder: agreed.names[seat - 1] });
  const button = h("button", { class: "main" }, words.joining.join);
  const own = newKey();
  const join = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    button.disabled = true;
    try {
      const body = { key: own, ...(chosen && { name: chosen }) };
      const joined = await call(`matches/${id}/join`, { key, body }).catch((error) => hasJoined(id, own, error));
      storage.keepChoices({ ...storage.choices(), you: chosen });
      storage.keepKey(id, own, describe(joined.match, [seat]), key);
      dispatchEvent(new Event("hashchange"));
    } catch (error) {
      button.disabled = false;
      write(alert, error.code === "key-invalid" ? words.match.used : error.message);
    }
  };
  return {
    title: words.joining.heading(host),
    element: h(
      "form",
      { class: "joining", onsubmit: join },
      h("h1", {}, words.joining.heading(host)),
      storage.game(id)?.key !== key && h("p", { class: "reason" }, words.match.opponentsLink),
      h("p", {}, `${words.bothNames(game)}, ${game.span}. ${game.note}`),
      h("p", {}, h("a", { href: `#/rules/${game.key}` }, words.setup.rulesOf(game.title))),
      h("label", { class: "field" }, h("span", {}, words.joining.name), name),
      button,
      alert,
    ),
    ready: () => name.focus(),
  };
}

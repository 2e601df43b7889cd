// The way into a match: by a link, by a key this browser remembers, or by taking a free seat.

import { call } from "./api.js";
import { h, write } from "./dom.js";
import * as memory from "./storage.js";
import { describe } from "./new_match.js";
import { Table } from "./match_view.js";
import { words } from "./words.js";

export async function match(id, given) {
  const { key, seen } = await find(id, given);
  if (given) {
    memory.keepKey(id, key, describe(seen.match));
    // The key leaves the address, so that nobody reads it over your shoulder.
    history.replaceState(null, "", `#/match/${id}`);
  }
  const free = seen.seats.find((seat) => !seen.match.joined[seat - 1]);
  if (free && seen.match.state === "waiting") return joining(id, key, seen, free);
  const table = new Table(id, key, seen, await call(`matches/${id}/board`, { key }));
  return { element: table.element, title: words.match.title(seen.match), leave: () => table.leave(), ready: () => table.ready() };
}

// Find a key that opens the match: the one in the link, or the one that is remembered.
async function find(id, given) {
  for (const key of new Set([given, memory.keyTo(id), memory.game(id)?.key])) {
    if (!key) continue;
    try {
      return { key, seen: await call(`matches/${id}`, { key }) };
    } catch (error) {
      if (error.status !== 403 && error.status !== 422) throw error;
    }
  }
  memory.forget(id);
  throw new Error(words.match.gone);
}

// The answer to joining may have been lost on its way; then the new key opens the match.
const hasJoined = (id, own, error) => call(`matches/${id}`, { key: own }).catch(() => Promise.reject(error));

// A key that nobody can guess.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// Somebody has opened the link to a free seat.
function joining(id, key, { match: agreed }, seat) {
  const alert = h("p", { class: "reason", role: "alert" });
  const host = agreed.names[seat === 1 ? 1 : 0];
  const { game } = agreed;
  const name = h("input", { name: "name", maxlength: 40, autocomplete: "off", value: memory.choices().you ?? "", placeholder: agreed.names[seat - 1] });
  const button = h("button", { class: "main" }, words.joining.join);
  const own = newKey();
  const join = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    button.disabled = true;
    try {
      const body = { key: own, ...(chosen && { name: chosen }) };
      const joined = await call(`matches/${id}/join`, { key, body }).catch((error) => hasJoined(id, own, error));
      memory.keepChoices({ ...memory.choices(), you: chosen });
      memory.keepKey(id, own, describe(joined.match), key);
      dispatchEvent(new Event("hashchange"));
    } catch (error) {
      button.disabled = false;
      write(alert, error.message);
    }
  };
  return {
    title: words.joining.heading(host),
    element: h(
      "form",
      { class: "joining", onsubmit: join },
      h("h1", {}, words.joining.heading(host)),
      memory.game(id)?.key !== key && h("p", { class: "reason" }, words.match.opponentsLink),
      h("p", {}, `${words.title(game)}: ${game.title}, ${game.span}. ${game.note}`),
      h("p", {}, h("a", { href: `#/rules/${game.key}` }, words.setup.rulesOf(words.title(game)))),
      h("label", { class: "field" }, h("span", {}, words.joining.name), name),
      button,
      alert,
    ),
    ready: () => name.focus(),
  };
}

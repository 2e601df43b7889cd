// The dialog with the links to a match.

import { matchAddress } from "../model/match_address.js";
import { reach } from "../model/reach.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";
import { h, tell, write } from "./dom.js";
import { showQr } from "./qr_dialog.js";

/** @typedef {import("../model/reach.js").Reach} Reach */

const NOW = { round: 1 };

/**
 * Make a link with buttons to pass it on. It changes once the server has said how other devices reach it.
 * @param {Promise<Reach>} reached @param {string} id @param {string} label @param {string} key
 */
function linkRow(reached, id, label, key, { place = NOW, qr = false } = {}) {
  const path = `/${matchAddress(id, place, key)}`;
  return addressRow(label, location.origin + path, { ready: reached.then(({ origin }) => origin + path), qr });
}

/**
 * Make a text with buttons to pass it on. It is replaced by its final form once that is known.
 * @param {string} label @param {string} address
 */
export function addressRow(label, address, { ready = Promise.resolve(address), qr = false } = {}) {
  const input = h("input", { readonly: true, value: address, onfocus: () => input.select() });
  ready.then((final) => (input.value = final));
  const said = h("span", { role: "status", class: "quiet" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await ready);
    } catch {
      input.select(); // without HTTPS, browsers offer only this older way to copy
      document.execCommand("copy");
    }
    write(said, words.share.copied);
  };
  const pass = async () => {
    try {
      await navigator.share({ title: words.brand, url: input.value });
    } catch (error) {
      if (error.name !== "AbortError") await copy(); // the system could not share it
    }
  };
  return h(
    "div",
    { class: "linkrow" },
    h("label", {}, h("span", {}, label), input),
    h("button", { type: "button", onclick: copy }, words.share.copy),
    qr && h("button", { type: "button", onclick: async () => showQr(await ready) }, words.share.qr),
    typeof navigator.share === "function" && h("button", { type: "button", onclick: pass }, words.share.system),
    said,
  );
}

// Say where the links work, if not everywhere.
function whereTheyWork(reached) {
  const text = h("p", { class: "quiet", role: "status" });
  reached.then(({ origin, local }) => write(text, local ? words.share.local[local] : origin === location.origin ? "" : words.share.network(origin)));
  return text;
}

// The links that this browser can share: one to the opponent's seat while it is free, and one for
// spectators.
function links(reached, view) {
  const kept = storage.game(view.id) ?? {};
  return [
    kept.invite && view.state === "waiting" && linkRow(reached, view.id, words.share.invite, kept.invite, { qr: true }),
    kept.watch && linkRow(reached, view.id, words.share.watch, kept.watch, { qr: true }),
    whereTheyWork(reached),
  ];
}

// Links that open at the turn on screen or at the review, for spectators.
function places(reached, { view, history }) {
  const { watch } = storage.game(view.id) ?? {};
  const round = history.number;
  const turn = history.looking ? history.at : view.turns.length;
  return [
    watch && turn > 0 && linkRow(reached, view.id, words.share.turn(turn), watch, { place: { round, turn } }),
    watch && round <= view.results.length && linkRow(reached, view.id, words.share.review, watch, { place: { round, review: true } }),
  ];
}

// The focus is on a button: in a field, it would select the link and scroll to its end.
function tellLinks(...rows) {
  const dialog = tell(words.share.heading, words.close, rows);
  dialog.querySelector("button")?.focus();
}

/** @param {import("../views/match_view.js").MatchView} matchView */
export const share = (matchView) => {
  const { view, seats } = matchView;
  const reached = reach();
  const isShown = !seats.length && storage.game(view.id)?.watch; // a spectator's own link, among the others
  const label = seats.length ? words.share.own : words.share.watch;
  return tellLinks(links(reached, view), places(reached, matchView), !isShown && linkRow(reached, view.id, label, storage.keyTo(view.id)));
};

/** Share a position of an analysis. @param {string} code @param {{link: string, code: string}} labels */
export const sharePosition = (code, labels) => {
  const reached = reach();
  const path = `/${location.hash}`;
  const ready = reached.then(({ origin }) => origin + path);
  return tellLinks(addressRow(labels.link, location.href, { ready, qr: true }), addressRow(labels.code, code), whereTheyWork(reached));
};

export function waitingPanel(view) {
  return [
    h("h2", {}, words.share.waiting),
    h("p", {}, view.listed ? words.share.waitingListed : words.share.waitingLead),
    links(reach(), view),
  ];
}

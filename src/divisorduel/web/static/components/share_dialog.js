// The dialog with the links to a match.

import { h, tell, write } from "./dom.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

function linkRow(id, label, key, place = "") {
  const address = `${location.origin}/#/match/${id}/${key}${place && `/${place}`}`;
  const input = h("input", { readonly: true, value: address, onfocus: () => input.select() });
  const said = h("span", { role: "status", class: "quiet" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      input.select(); // without HTTPS, browsers offer only this older way to copy
      document.execCommand("copy");
    }
    write(said, words.share.copied);
  };
  return h(
    "div",
    { class: "linkrow" },
    h("label", {}, h("span", {}, label), input),
    h("button", { type: "button", onclick: copy }, words.share.copy),
    typeof navigator.share === "function" && h("button", { type: "button", onclick: () => navigator.share({ title: words.brand, url: address }).catch(() => {}) }, words.share.system),
    said,
  );
}

// The links that this browser can share: one to the opponent's seat while it is free, and one for
// spectators.
export function links(view) {
  const kept = storage.game(view.id) ?? {};
  return [
    kept.invite && view.state === "waiting" && linkRow(view.id, words.share.invite, kept.invite),
    kept.watch && linkRow(view.id, words.share.watch, kept.watch),
    isLocal && h("p", { class: "quiet" }, words.share.localOnly),
  ];
}

// Links that open at the turn on screen or at the review, for spectators.
function places({ view, history }) {
  const { watch } = storage.game(view.id) ?? {};
  const round = history.number;
  const turn = history.looking ? history.at : view.turns.length;
  return [
    watch && turn > 0 && linkRow(view.id, words.share.turn(turn), watch, `turn-${round}-${turn}`),
    watch && round <= view.results.length && linkRow(view.id, words.share.review, watch, `review-${round}`),
  ];
}

/** @param {import("../views/match_view.js").MatchView} matchView */
export const share = (matchView) => {
  const { view } = matchView;
  return tell(words.share.heading, words.close, links(view), places(matchView), linkRow(view.id, words.share.own, storage.keyTo(view.id)));
};

export function waitingPanel(view) {
  return [
    h("h2", {}, words.share.waiting),
    h("p", {}, view.listed ? words.share.waitingListed : words.share.waitingLead),
    links(view),
  ];
}

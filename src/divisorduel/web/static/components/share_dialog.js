// The dialog with the links to a match.

import { h, tell, write } from "./dom.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

function linkRow(id, label, key) {
  const address = `${location.origin}/#/match/${id}/${key}`;
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

export const share = (view) =>
  tell(words.share.heading, words.close, links(view), linkRow(view.id, words.share.own, storage.keyTo(view.id)));

export function waitingPanel(view) {
  return [
    h("h2", {}, words.share.waiting),
    h("p", {}, view.listed ? words.share.waitingListed : words.share.waitingLead),
    links(view),
  ];
}

// The page: shows the view that the address names after the #.

import { h, put, tell } from "./components/dom.js";
import { watchDrops } from "./model/new_match.js";
import * as storage from "./model/storage.js";
import { words } from "./words/words.js";

const views = {
  __proto__: null,
  "": async () => (await import("./views/home.js")).home(),
  rules: async (key) => (await import("./views/rules.js")).rules(key),
  match: async (id, key) => (await import("./views/match_entry.js")).match(id, key),
};

const main = h("main", { id: "main", tabindex: "-1" });

function frame() {
  const shortcuts = h("button", { type: "button", class: "plain", onclick: showKeys }, words.actions.keys, " ", h("kbd", {}, "?"));
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) }, words.skip),
    h(
      "header",
      { class: "top" },
      h("a", { class: "brand", href: "#/" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), words.brand),
      h("nav", { "aria-label": words.brand }, h("a", { href: "#/rules" }, words.footer.rules), h("a", { href: "/docs" }, words.footer.api), shortcuts),
    ),
    main,
  );
}

export function showKeys() {
  tell(
    words.keys.heading,
    words.close,
    h("p", {}, words.keys.lead),
    h("label", { class: "tick" },
      h("input", { type: "checkbox", checked: storage.choices().letters !== false, onchange: ({ target }) => storage.keepChoices({ ...storage.choices(), letters: target.checked }) }),
      words.keys.letters),
    h("dl", { class: "keys" }, words.keys.table.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
  );
}

let leave = () => {};
let shown = 0;

async function go() {
  const number = ++shown;
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const first = number === 1;
  leave();
  leave = () => {};
  put(main, h("p", { class: "quiet" }, words.loading));
  let view;
  try {
    view = await (views[name] ?? views[""])(...rest);
  } catch (error) {
    view = { element: failed(error) };
  }
  if (number !== shown) return view.leave?.();
  leave = view.leave ?? leave;
  document.title = view.title ? `${view.title} – ${words.brand}` : words.brand;
  put(main, view.element);
  scrollTo(0, 0);
  view.ready?.();
  // Keyboard users continue from here, not from the top of the page.
  if (!first && document.activeElement === document.body) main.focus();
}

function failed(error) {
  const again = h("button", { type: "button", onclick: go }, words.again);
  return h("div", {}, h("p", { role: "alert", class: "reason" }, error.message || words.errors.unknown), h("p", { class: "row" }, again, h("a", { class: "button", href: "#/" }, words.actions.newGame)));
}

addEventListener("hashchange", go);
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea");
  if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    showKeys();
  }
});
watchDrops((text) => {
  const said = h("p", { role: "alert", class: "reason dropped" }, text);
  main.querySelector(".dropped")?.remove();
  main.prepend(said);
  setTimeout(() => said.remove(), 15000);
});
frame();
go();

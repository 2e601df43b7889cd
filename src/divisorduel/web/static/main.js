// The page: shows the view that the address names after the #.

import { closeDialogs, h, nextTask, put, showTab } from "./components/dom.js";
import { icon } from "./components/icon.js";
import { showKeys, showSettings } from "./components/settings_dialog.js";
import { findMatch } from "./model/match_lookup.js";
import { watchDrops } from "./model/new_match.js";
import { watchServer } from "./model/offline.js";
import { applyTheme } from "./model/theme.js";
import { words } from "./words/words.js";

/** @typedef {{element: Element, title?: string, heading?: Element, ready?: () => void, leave?: () => void, follow?: (...rest: string[]) => void}} View */

/** @type {Record<string, (...rest: string[]) => Promise<View>>} */
const views = Object.assign(Object.create(null), {
  "": async () => (await import("./views/home.js")).home(),
  rules: async (...address) => (await import("./views/rules.js")).rules(...address),
  analysis: async (...address) => (await import("./views/analysis_view.js")).analysis(...address),
  match: async (id, ...rest) => {
    const [view, found] = await Promise.all([import("./views/match_entry.js"), findMatch(id, rest)]);
    return view.match(found);
  },
});

const logo = new URL("icon.svg", import.meta.url).href;
const main = h("main", { id: "main", tabindex: "-1" });
const title = h("div", { class: "title" });
const rules = h("a", { href: "#/rules", class: "wide", onpointerdown: aimRules, onclick: aimRules }, words.footer.rules);

// The rules of the game on screen. A match stays open next to them; an analysis is kept for the way back.
function aimRules() {
  const game = main.querySelector("[data-rules]")?.getAttribute("data-rules");
  rules.href = game ?? "#/rules";
  rules.target = location.hash.startsWith("#/match/") ? "_blank" : "";
}

function frame() {
  const shortcuts = h("button", { type: "button", class: "plain wide", onclick: showKeys }, words.actions.keys, " ", h("kbd", {}, "?"));
  const settings = h("button", { type: "button", class: "plain", "aria-label": words.settings.heading, title: words.settings.heading, onclick: showSettings }, icon("settings"));
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) }, words.skip),
    h(
      "header",
      { class: "top" },
      h("a", { class: "brand", href: "#/", "aria-label": words.brand }, h("img", { src: logo, alt: "", width: 26, height: 26 }), h("span", {}, words.brand)),
      title,
      h("nav", { "aria-label": words.brand }, rules, shortcuts, settings),
    ),
    main,
  );
}

let leave = () => {};
let shown = 0;
/** @type {{name: string, follow?: (...rest: string[]) => void}} a view that follows its own address */
let current = { name: "" };

async function go() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  closeDialogs();
  if (current.follow && current.name === name) return current.follow(...rest);
  const number = ++shown;
  const first = number === 1;
  leave();
  leave = () => {};
  current = { name };
  put(main, h("p", { class: "quiet loading" }, words.loading));
  /** @type {View} */
  let view;
  try {
    view = await (views[name] ?? views[""])(...rest);
  } catch (error) {
    view = { element: failed(error) };
  }
  await nextTask();
  if (number !== shown) return view.leave?.();
  leave = view.leave ?? leave;
  current.follow = view.follow;
  if (!view.heading) showTab(view.title ? `${view.title} – ${words.brand}` : words.brand);
  document.body.classList.toggle("playing", Boolean(view.heading));
  put(title, view.heading);
  put(main, view.element);
  scrollTo(0, 0);
  view.ready?.();
  // Keyboard users continue from here, not from the top of the page.
  if (!first && document.activeElement === document.body) main.focus({ preventScroll: true });
}

function failed(error) {
  const again = !error.final && h("button", { type: "button", onclick: go }, words.again);
  return h("div", { class: "failed" }, h("p", { role: "alert", class: "reason" }, error.message || words.errors.unknown), h("p", { class: "row" }, again, h("a", { class: "button", href: "#/" }, words.actions.newGame)));
}

addEventListener("hashchange", go);
addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    showKeys();
  }
});
watchDrops((text) => {
  const said = h("p", { role: "alert", class: "reason dropped" }, text);
  document.querySelector(".dropped")?.remove();
  document.body.append(said);
  setTimeout(() => said.remove(), 15000);
});
applyTheme();
frame();
watchServer();
go();

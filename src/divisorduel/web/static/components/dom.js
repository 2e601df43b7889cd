// Helpers that build elements and dialogs.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element: h("button", { class: "tile", onclick: f, "aria-label": "6" }, "6").
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {Element} element @param {...any} children */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/** Set a text only if it changes, so that screen readers read it once. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Tell whether an element is visible, so that it can keep the focus. @param {Element} element */
export const isVisible = (element) => element.isConnected && element.getClientRects().length > 0;

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const wide = matchMedia("(min-width: 1000px)");

let ids = 0;
const newId = () => `heading-${++ids}`; // a dialog can open another one

/**
 * Ask a question in a dialog. Resolves to the value of the button that was pressed, or "".
 * @param {string} text
 * @param {{label: string, value: string, kind?: string}[]} buttons
 * @returns {Promise<string>}
 */
export function ask(text, buttons) {
  return new Promise((answer) => {
    const id = newId();
    const dialog = h(
      "dialog",
      { class: "asking", "aria-labelledby": id },
      h("p", { id }, text),
      h("form", { method: "dialog", class: "row" }, buttons.map(({ label, value, kind }) => h("button", { value, class: kind }, label))),
    );
    show(dialog, () => answer(dialog.returnValue));
  });
}

/** Show a dialog with a heading and a button to close it. @param {string} heading @param {string} close @param {...any} content */
export function tell(heading, close, ...content) {
  const id = newId();
  const dialog = h(
    "dialog",
    { "aria-labelledby": id },
    h("h2", { id }, heading),
    content,
    h("form", { method: "dialog", class: "row" }, h("button", {}, close)),
  );
  show(dialog);
  return dialog;
}

/** Open a modal dialog, and return the focus when it closes. @param {HTMLDialogElement} dialog */
export function show(dialog, closed = () => {}) {
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    const isInside = dialog.contains(document.activeElement) || document.activeElement === document.body;
    dialog.remove();
    // The event comes late: by then, the person may have gone elsewhere.
    if (isInside && before instanceof HTMLElement && before.isConnected) before.focus();
    closed();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && isOutside(dialog, event) && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

function isOutside(dialog, { clientX: x, clientY: y }) {
  const box = dialog.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/**
 * Name a game with its short name and its board: in two lines on a phone.
 * @param {Element} heading @param {import("../model/types.d.ts").Game} game @param {...(string | false)} more
 */
export function nameGame(heading, { title, nickname, span }, ...more) {
  const rest = [nickname, ...more, span].filter(Boolean).join(" · ");
  if (heading.textContent === `${title} · ${rest}`) return;
  put(heading, h("span", {}, title), h("span", { class: "wide" }, " · "), h("span", {}, rest));
}

/** Name the tab, and mark it if it is your turn. @param {string} title */
export function showTab(title, yourTurn = false) {
  document.title = title;
  document.querySelector("link[rel=icon]")?.setAttribute("href", yourTurn ? "/static/icon-turn.svg" : "/static/icon.svg");
}

/** Continue in another task, so that even a slow phone can answer in between. @returns {Promise<void>} */
export const nextTask = () => new Promise((done) => setTimeout(done));

/** Close every dialog. They belong to the view that opened them. */
export const closeDialogs = () => document.querySelectorAll("dialog").forEach((dialog) => dialog.close());

/** Load the style sheet of a view, once. @param {string} address */
export function loadStyle(address) {
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  return new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: address, onload: done, onerror: done })));
}

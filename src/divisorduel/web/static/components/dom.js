// Helpers that build elements and dialogs.

const SVG = "http://www.w3.org/2000/svg";

// h("button", { class: "tile", onclick: f, "aria-label": "6" }, "6") makes an element.
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

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

export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// Set a text only if it changes, so that screen readers read it once.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Tell whether an element is visible, so that it can keep the focus.
export const isVisible = (element) => element.isConnected && element.getClientRects().length > 0;

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

// Ask a question in a dialog. Resolves to the value of the button that was pressed, or "".
export function ask(text, buttons) {
  return new Promise((answer) => {
    const dialog = h(
      "dialog",
      { class: "asking", "aria-labelledby": "question" },
      h("p", { id: "question" }, text),
      h(
        "form",
        { method: "dialog", class: "row" },
        buttons.map(({ label, value, kind }) => h("button", { value, class: kind }, label)),
      ),
    );
    show(dialog, () => answer(dialog.returnValue));
  });
}

// Show a dialog with a heading and a button to close it.
export function tell(heading, close, ...content) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "telling" },
    h("h2", { id: "telling" }, heading),
    content,
    h("form", { method: "dialog", class: "row" }, h("button", {}, close)),
  );
  show(dialog, () => {});
  return dialog;
}

function show(dialog, closed) {
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
}

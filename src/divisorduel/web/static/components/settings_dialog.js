// The dialogs with the settings and with the shortcuts.

import * as storage from "../model/storage.js";
import { applyTheme } from "../model/theme.js";
import { words } from "../words/words.js";
import { h, tell } from "./dom.js";

const keep = (name, value) => storage.keepChoices({ ...storage.choices(), [name]: value });

function tick(label, name, usual, changed = () => {}) {
  const checked = storage.choices()[name] ?? usual;
  return h("label", { class: "tick" }, h("input", { type: "checkbox", checked, onchange: ({ target }) => {
    keep(name, target.checked);
    changed();
  } }), label);
}

export function showKeys() {
  tell(
    words.keys.heading,
    words.close,
    h("p", {}, words.keys.lead),
    tick(words.keys.letters, "letters", true),
    h("dl", { class: "keys" }, words.keys.table.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
  );
}

function choose(legend, name, labels, usual, changed = () => {}) {
  const now = storage.choices()[name] ?? usual;
  return h("fieldset", { class: "segments" }, h("legend", {}, legend), Object.entries(labels).map(([value, label]) => h(
    "label",
    { class: "segment" },
    h("input", { type: "radio", name, value, checked: value === now, onchange: () => {
      keep(name, value);
      changed();
    } }),
    h("span", {}, label),
  )));
}

export function showSettings() {
  tell(
    words.settings.heading,
    words.close,
    choose(words.settings.theme, "theme", words.settings.themes, "system", applyTheme),
    choose(words.settings.sound, "sound", words.settings.sounds, "online"),
    "vibrate" in navigator && tick(words.settings.vibrate, "vibrate", false),
    "Notification" in globalThis && tick(words.settings.notify, "notify", false, () => Notification.requestPermission()),
    tick(words.settings.twoTaps, "twoTaps", true),
    tick(words.keys.letters, "letters", true),
    h("p", { class: "row" },
      h("button", { type: "button", onclick: showKeys }, words.keys.heading),
      h("button", { type: "button", onclick: async () => (await import("./statistics_dialog.js")).showStatistics() }, words.statistics.heading)),
  );
}

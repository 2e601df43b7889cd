// The dialog that starts a match against the computer from a position.

import { call } from "../model/api.js";
import { enter } from "../model/new_match.js";
import { keepSettings, settings } from "../model/settings.js";
import { words } from "../words/words.js";
import { h, show } from "./dom.js";
import { field, segments, select } from "./setup_sheet.js";

/**
 * @param {import("../model/types.d.ts").AnalysedPosition} position
 * @param {1 | 2} mover whose turn it is in the analysis
 * @param {string[]} computers
 */
export function playHere({ code, game }, mover, computers) {
  const texts = words.analysis.against;
  const { level, you } = settings();
  const name = (seat) => `${words.match.seatMark[seat]} ${words.analysis.players[seat - 1]}`;
  const alert = h("p", { class: "reason", role: "alert" });
  const button = h("button", { class: "main", type: "submit" }, texts.play);
  const levels = select("level", computers.map((kind) => [kind, words.setup.levels(kind)]), level);
  const close = h("button", { type: "button", class: "plain", "aria-label": words.close, onclick: () => dialog.close() }, "✕");
  const submit = async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    keepSettings({ level: levels.value });
    const first = new FormData(form).get("side") === "mover" ? "1" : "2";
    const person = you?.trim() ? { who: "here", name: you.trim() } : { who: "here" };
    const players = [person, { who: "computer", kind: levels.value }];
    await enter(alert, () => call("matches", { body: { game: game.key, start: code, players, first } }));
    button.disabled = false;
  };
  const form = h(
    "form",
    { class: "setup", onsubmit: submit },
    h("header", {}, h("h2", { id: "against" }, texts.heading), close),
    segments(texts.side, "side", [["mover", texts.mover(name(mover))], ["other", texts.other(name(mover === 1 ? 2 : 1))]], "mover"),
    field(words.setup.level, levels),
    alert,
    h("div", { class: "buttons" }, button),
  );
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "against" }, form);
  show(dialog);
  button.focus({ preventScroll: true });
}

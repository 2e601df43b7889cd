// Starts new matches and continues saved ones.

import { call, options } from "./api.js";
import { write } from "../components/dom.js";
import * as storage from "./storage.js";
import { words } from "../words/words.js";

/** Describe a match for the list of your games. @param {import("./types.d.ts").Match} match @param {number[]} seats the seats you play for */
export const describe = (match, seats) => ({
  title: words.bothNames(match.game),
  span: match.game.span,
  names: match.names,
  seats,
  state: match.state,
  toMove: match.to_move,
  winner: match.winner,
  turns: match.turns.length,
});

const seatsOf = (keys, match) => [1, 2].filter((seat) => match.kinds[seat - 1] === "human" && (!match.apart || match.joined[seat - 1]) && keys[seat]);

// Create a match and open it, or say why it was refused.
export async function enter(alert, creating) {
  write(alert, "");
  try {
    const { id, keys, match } = await creating();
    const [mine, theirs] = match.joined[0] ? [keys[1] ?? keys[2], keys[2]] : [keys[2], keys[1]];
    storage.keep({ id, key: mine, invite: match.apart ? theirs : null, watch: keys.watch, ...describe(match, seatsOf(keys, match)) });
    location.hash = `#/match/${id}`;
  } catch (error) {
    write(alert, error.message);
    alert.scrollIntoView({ block: "nearest" });
  }
}

export async function resume(file, alert) {
  const { limits } = await options();
  if (file.size > limits.record) return write(alert, words.record.tooLong);
  const record = await file.text();
  return enter(alert, () => call("records", { body: { record } }));
}

// Let players drop a record on any view. say(text) shows what is wrong with the record.
export function watchDrops(say) {
  const done = () => document.body.classList.remove("dropping");
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
    document.body.dataset.drop = words.record.drop;
  });
  addEventListener("dragleave", done);
  addEventListener("drop", async (event) => {
    event.preventDefault();
    done();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    const alert = document.createElement("p");
    await resume(file, alert);
    if (alert.textContent) say(alert.textContent);
  });
}

// Finds a match with the key in its address or a key that this browser has saved.

import { call } from "./api.js";
import { readPlace } from "./match_address.js";
import * as storage from "./storage.js";
import { words } from "../words/words.js";

/** @param {string} id @param {string[]} rest what follows in the address: a key, a turn or a review to open */
export async function findMatch(id, rest) {
  const { key: given, place } = readPlace(rest);
  for (const key of new Set([given, storage.keyTo(id), storage.game(id)?.key])) {
    if (!key) continue;
    // The board is asked for at the same time: most keys are right.
    const boardData = call(`matches/${id}/board`, { key });
    boardData.catch(() => {});
    try {
      return { id, key, given, place, seen: await call(`matches/${id}`, { key }), boardData };
    } catch (error) {
      if (error.status !== 403 && error.status !== 422) throw error;
    }
  }
  const reason = given ? words.match.used : storage.game(id) ? words.match.gone : words.match.noKey;
  storage.forget(id);
  throw Object.assign(new Error(reason), { final: true });
}

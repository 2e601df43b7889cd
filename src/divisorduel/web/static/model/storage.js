// What this browser stores: the keys to your games, and your last choices.
//
// If you open the link to the other seat of your own game, its key is stored for this tab only, so that
// you keep your seat.

const GAMES = "duel.games";
const CHOICES = "duel.choices";
const STATISTICS = "duel.statistics";
const MOST_GAMES = 30;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
}

const inMemory = new Map(); // for browsers without storage

export function game(id) {
  return inMemory.get(id) ?? read(GAMES, []).find((one) => one.id === id);
}

export const games = () => read(GAMES, []).filter((one) => one.key && one.names);

export function keyTo(id) {
  try {
    return sessionStorage.getItem(`duel.key.${id}`) ?? game(id)?.key;
  } catch {
    return game(id)?.key;
  }
}

// Save a key to a game. It does not replace a key that you already have, unless that is `inPlaceOf`.
export function keepKey(id, key, more, inPlaceOf = key) {
  const own = game(id)?.key;
  if (!own || own === key || own === inPlaceOf) return keep({ id, key, ...more });
  try {
    sessionStorage.setItem(`duel.key.${id}`, key);
  } catch {
    inMemory.set(id, { ...game(id), id, key, ...more });
  }
}

export function keep(one) {
  const merged = { ...game(one.id), ...one };
  inMemory.set(one.id, merged);
  write(GAMES, [merged, ...read(GAMES, []).filter((other) => other.id !== one.id)].slice(0, MOST_GAMES));
}

export function forget(id) {
  inMemory.delete(id);
  write(GAMES, read(GAMES, []).filter((one) => one.id !== id));
}

export const choices = () => read(CHOICES, {});
export const statistics = () => read(STATISTICS, {});
export const keepStatistics = (all) => write(STATISTICS, all);
export const keepChoices = (chosen) => write(CHOICES, chosen);

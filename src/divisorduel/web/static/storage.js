// What this browser stores: the keys to your games, and your last choices.
//
// The key to another seat of a game you are in is kept for this tab only, so that you keep your seat.

const GAMES = "duel.games";
const CHOICES = "duel.choices";
const MOST = 30;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
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

const passing = new Map(); // for browsers without storage

export function game(id) {
  return passing.get(id) ?? read(GAMES, []).find((one) => one.id === id);
}

export const games = () => read(GAMES, []).filter((one) => one.key && one.names);

export function keyTo(id) {
  try {
    return sessionStorage.getItem(`duel.key.${id}`) ?? game(id)?.key;
  } catch {
    return game(id)?.key;
  }
}

// Save a key to a game. A key that you already have stays, unless this one replaces it.
export function keepKey(id, key, more, inPlaceOf = key) {
  const own = game(id)?.key;
  if (!own || own === key || own === inPlaceOf) return keep({ id, key, ...more });
  try {
    sessionStorage.setItem(`duel.key.${id}`, key);
  } catch {
    passing.set(id, { ...game(id), id, key, ...more });
  }
}

export function keep(one) {
  const merged = { ...game(one.id), ...one };
  passing.set(one.id, merged);
  write(GAMES, [merged, ...read(GAMES, []).filter((other) => other.id !== one.id)].slice(0, MOST));
}

export function forget(id) {
  passing.delete(id);
  write(GAMES, read(GAMES, []).filter((one) => one.id !== id));
}

export const choices = () => read(CHOICES, {});
export const keepChoices = (chosen) => write(CHOICES, chosen);

// What this browser remembers: the keys to your games, and your last choices.
//
// A link to another seat of a game in which you sit already is for this tab alone: it must not take
// your own seat away.

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
    // A browser that remembers nothing still plays.
  }
}

const passing = new Map(); // for browsers that remember nothing

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

// Keep a key that is known to open a game. The one you have stays yours, unless this one takes its
// place.
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

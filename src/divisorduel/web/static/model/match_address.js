// The address of a match, after the #: its id, perhaps a key, and perhaps a turn or a review to open.
//
//   /match/ID           /match/ID/turn/4            /match/ID/review
//   /match/ID/KEY       /match/ID/KEY/turn/4        /match/ID/round/2/turn/4

/** @typedef {{round: number, turn?: number, review?: boolean}} Place without a turn, the current position */

/** Read what follows the id. @param {string[]} rest @returns {{key: string, place: Place}} */
export function readPlace(rest) {
  const parts = [...rest];
  const key = ["turn", "review", "round"].includes(parts[0]) ? "" : (parts.shift() ?? "");
  /** @type {Place} */
  const place = { round: 1 };
  while (parts.length) {
    const word = parts.shift();
    if (word === "review") place.review = true;
    else if (word === "turn" || word === "round") place[word] = Number(parts.shift()) || (word === "round" ? 1 : 0);
  }
  return { key, place };
}

/** @param {string} id @param {Place} place @param {string} [key] */
export function matchAddress(id, { round, turn, review }, key = "") {
  const place = review ? "review" : turn === undefined ? "" : `turn/${turn}`;
  const parts = [key, place && round > 1 ? `round/${round}` : "", place];
  return ["#/match", id, ...parts].filter(Boolean).join("/");
}

/** Show in the address bar what is on screen, without a key. @param {string} id @param {Place} place */
export function showAddress(id, place) {
  const address = matchAddress(id, place);
  const [, , shown] = location.hash.split("/");
  if (shown === id && location.hash !== address) history.replaceState(null, "", address);
}

// The pace of a computer's moves.

import { reducedMotion } from "../components/dom.js";

export const PACE = 650; // the shortest time between a computer's moves, in ms

/** Delay a computer's answer, so that the player sees what happened. @param {number} stepped when the last move was shown */
export async function pause(stepped) {
  const wait = (reducedMotion.matches ? PACE / 2 : PACE) - (performance.now() - stepped);
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
}

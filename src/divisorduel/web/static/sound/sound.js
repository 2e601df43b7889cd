// Sounds, made with WebAudio. By default, they are on only if the players are on different devices.

import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

/** @type {AudioContext | null} */
let audio = null;

/** @param {number[]} notes frequencies in Hz, one after the other */
function tones(notes) {
  audio ??= new AudioContext();
  const context = audio;
  if (context.state === "suspended") context.resume();
  notes.forEach((note, at) => {
    const start = context.currentTime + at * 0.11;
    const source = new OscillatorNode(context, { frequency: note, type: "triangle" });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.16, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.22);
    source.connect(volume).connect(context.destination);
    source.start(start);
    source.stop(start + 0.25);
  });
}

const mayNotify = () => storage.choices().notify && globalThis.Notification?.permission === "granted";

/** @param {string} text */
function notify(text) {
  const look = { icon: "/static/icon-turn.svg" };
  try {
    new Notification(text, look);
  } catch {
    // Phones offer notifications only through a service worker.
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(text, look));
  }
}

const isOn = (view) => ({ always: true, never: false })[storage.choices().sound] ?? view.apart;

/** Play what happened: a move, your turn, or the end. @param {import("../model/types.d.ts").Match} view @param {number[]} seats */
export function play(view, seats) {
  const yours = view.to_move !== null && seats.length === 1 && seats.includes(view.to_move);
  if (yours && storage.choices().vibrate) navigator.vibrate?.(40);
  if (yours && document.hidden && mayNotify()) notify(words.match.title(view, true));
  if (!isOn(view) || !navigator.userActivation?.hasBeenActive) return;
  if (view.state === "over") tones(view.winner && seats.includes(view.winner) ? [523, 659, 784] : [392, 330]);
  else if (view.turns.length) tones(yours ? [440, 587] : [392]);
}

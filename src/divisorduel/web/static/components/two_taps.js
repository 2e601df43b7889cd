// On small screens, a first tap selects a number and a second one takes it, unless the player prefers one tap.

import * as storage from "../model/storage.js";

/** The options of a board that takes two taps. @param {{marking?: boolean, message: import("./message_line.js").MessageLine}} view */
export const inTwoTaps = (view) => ({
  twoTaps: () => !view.marking && storage.choices().twoTaps !== false,
  onPick: (/** @type {number | null} */ number) => view.message.pick(number),
});

// Icons, drawn with lines in the colour of the text.

import { svg } from "./dom.js";

const PATHS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.200 1.100 2.200h5c.1-1 .5-1.700 1.100-2.200A6 6 0 0 0 12 3z",
  why: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 18v.1",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  redo: "m16 5 4 4-4 4M20 9H10a5 5 0 0 0 0 10h4",
  graph: "M6 18 12 6l6 12M6 18h12M12 6v0M4 18a2 2 0 1 0 4 0 2 2 0 1 0-4 0M16 18a2 2 0 1 0 4 0 2 2 0 1 0-4 0M10 6a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  menu: "M5 12v.1M12 12v.1M19 12v.1",
  rematch: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
  review: "m5 13 4 4L19 7",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  back: "m14 6-6 6 6 6",
  forward: "m10 6 6 6-6 6",
  moves: "M5 6h14M5 12h8M5 18h11",
  setUp: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  play: "M8 5v14l11-7z",
};

/** @param {string} name */
export const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));

/** @param {string} name */
export const hasIcon = (name) => name in PATHS;

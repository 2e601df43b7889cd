// A link as a QR code, large enough for a camera at the other end of a room.

import { call } from "../model/api.js";
import { words } from "../words/words.js";
import { h, put, svg, tell } from "./dom.js";

const MARGIN = 4; // light modules around the code, which cameras need

/** @param {string[]} rows */
export function drawing(rows) {
  const size = rows.length + 2 * MARGIN;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`));
  return svg("svg", { class: "qr", viewBox: `${-MARGIN} ${-MARGIN} ${size} ${size}`, role: "img", "aria-label": words.share.qrLabel, "shape-rendering": "crispEdges" },
    svg("rect", { x: -MARGIN, y: -MARGIN, width: size, height: size, fill: "#fff" }),
    svg("path", { d: dark.join(""), fill: "#000" }));
}

/** @param {string} link */
export async function showQr(link) {
  const place = h("div", { class: "qrbox" });
  tell(words.share.qr, words.close, place, h("p", { class: "quiet" }, words.share.qrLead));
  try {
    put(place, drawing((await call("qr", { body: { link } })).rows));
  } catch (error) {
    put(place, h("p", { class: "reason", role: "alert" }, error.message));
  }
}

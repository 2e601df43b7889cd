// Opens the page without the server: starts the service worker, and says what needs the server.

import { h } from "../components/dom.js";
import { words } from "../words/words.js";

/** Tell the page whether the server answers. @param {boolean} answers */
export const noteServer = (answers) => dispatchEvent(new CustomEvent("server", { detail: answers }));

/** Show a line while the server does not answer, and keep the files of the page where the browser allows it. */
export function watchServer() {
  const line = h("p", { class: "offline", role: "status", hidden: true });
  document.body.append(line);
  addEventListener("server", (event) => {
    line.hidden = /** @type {CustomEvent} */ (event).detail;
    line.textContent = line.hidden ? "" : words.errors.needsServer;
  });
  const keep = () => navigator.serviceWorker.register("/service-worker.js").catch(() => {}); // a convenience
  if (!("serviceWorker" in navigator)) return; // only HTTPS and this computer have it
  if (document.readyState === "complete") keep();
  else addEventListener("load", keep);
}

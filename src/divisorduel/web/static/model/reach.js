// The address of this server as other devices know it.

import { call } from "./api.js";

const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

/**
 * The start of links, and why they work on this computer only: the server accepts no other computers
 * ("machine"), this computer is not on a network ("offline"), or "" if they work elsewhere.
 * @typedef {{origin: string, local: "" | "machine" | "offline"}} Reach
 */

/** Find the start of links that work on other devices. @returns {Promise<Reach>} */
export async function reach() {
  /** @type {Reach} */
  const here = { origin: location.origin, local: "" };
  if (!isLoopback) return here; // this page was opened under an address that works
  try {
    const { reach: from, addresses } = await call("server");
    if (from === "machine") return { ...here, local: "machine" };
    if (from === "network") return addresses.length ? { ...here, origin: addresses[0] } : { ...here, local: "offline" };
  } catch {
    // The links are the best that is known.
  }
  return here;
}

// Calls to the server.

import { words } from "../words/words.js";

export class Refused extends Error {
  constructor(reason, status, code) {
    super(reason);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} path @param {{key?: string, body?: unknown}} [options] @returns {Promise<any>} */
export async function call(path, { key, body } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (key) headers.authorization = `Bearer ${key}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(`/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused(words.errors.offline, 0, "offline");
  }
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new Refused(answer.reason ?? words.errors.unknown, response.status, answer.code);
  return answer;
}

// Make a call once and keep the answer. If the call fails, the next use makes it again.
const once = (path, answer) => () => (answer ??= call(path).catch((error) => ((answer = undefined), Promise.reject(error))));
/** @type {() => Promise<import("./types.d.ts").RuleBook[]>} */
export const ruleBooks = once("games");
export const options = once("options");

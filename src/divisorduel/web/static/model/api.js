// Calls to the server.

import { words } from "../words/words.js";
import { noteServer } from "./offline.js";

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
  const method = body === undefined ? "GET" : "POST";
  return await answerOf(`/api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
}

/** @param {string} address @param {RequestInit} [request] @returns {Promise<any>} */
async function answerOf(address, request) {
  let response;
  try {
    response = await fetch(address, request);
  } catch {
    noteServer(false);
    throw new Refused(words.errors.offline, 0, "offline");
  }
  if (address.startsWith("/api/")) noteServer(true); // a file may have been kept
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new Refused(answer.reason ?? words.errors.unknown, response.status, answer.code);
  return answer;
}

// What the server sends only once: a file that browsers keep, so that it is there without the server.
/** @type {Promise<{games: import("./types.d.ts").RuleBook[], options: any}> | undefined} */
let catalogue;
const load = () => (catalogue ??= answerOf(new URL("../catalogue.json", import.meta.url).href).catch((error) => ((catalogue = undefined), Promise.reject(error))));
export const ruleBooks = async () => (await load()).games;
export const options = async () => (await load()).options;

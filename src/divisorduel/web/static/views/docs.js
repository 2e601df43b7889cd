// The documentation of the API, generated from its OpenAPI and AsyncAPI descriptions.

import { h } from "../components/dom.js";
import { words } from "../words/words.js";

const EXAMPLE = `→ {"type": "hello", "key": "KEY"}
← {"type": "welcome", "seats": [1], "match": {…}, "presence": {…}}
→ {"type": "command", "id": 1, "version": 0, "command": {"type": "take", "number": 6}}
← {"type": "step", "version": 1, "events": [{"type": "number-taken", "number": 6, "again": false}],
   "changes": {…}, "added": {…}, "removed": {…}}
← {"type": "done", "id": 1, "version": 1}`;

const load = async (path) => (await fetch(path)).json();
const [http, live] = await Promise.all([load("/openapi.json"), load("/asyncapi.json")]);
const name = (reference) => reference.split("/").at(-1);

// Describe a schema in one line.
function shape(schema) {
  if (!schema) return "";
  if (schema.$ref) return h("a", { href: `#${name(schema.$ref)}` }, name(schema.$ref));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.flatMap((option, at) => [at ? " | " : "", shape(option)]);
  if (schema.type === "array") return ["[", schema.prefixItems ? schema.prefixItems.flatMap((item, at) => [at ? ", " : "", shape(item)]) : [shape(schema.items), ", …"], "]"].flat();
  if (schema.type === "object" && schema.additionalProperties) return ["{name: ", shape(schema.additionalProperties), "}"].flat();
  const bounds = [
    schema.minimum !== undefined && `≥ ${schema.minimum}`,
    schema.exclusiveMaximum !== undefined && `< ${schema.exclusiveMaximum}`,
    schema.maximum !== undefined && `≤ ${schema.maximum}`,
    schema.maxLength !== undefined && `≤ ${schema.maxLength} characters`,
  ].filter(Boolean);
  return `${schema.type ?? "anything"}${bounds.length ? ` (${bounds.join(", ")})` : ""}`;
}

function operation(path, verb, one) {
  const body = one.requestBody?.content?.["application/json"]?.schema;
  const answers = Object.entries(one.responses).map(([status, { description, content }]) =>
    h("li", {}, h("code", {}, status), ` ${description} `, shape(Object.values(content ?? {})[0]?.schema)),
  );
  const curl = [
    "curl",
    verb === "post" ? "-X POST" : "",
    one.security ? "-H 'Authorization: Bearer KEY'" : "",
    body ? "-H 'Content-Type: application/json' -d '{…}'" : "",
    `${location.origin}${path}`,
  ].filter(Boolean).join(" ");
  return h(
    "article",
    {},
    h("h3", {}, h("code", {}, h("span", { class: "verb" }, verb.toUpperCase()), " ", path)),
    h("p", {}, one.description, one.security ? h("span", { class: "quiet" }, ` (${words.docs.needsKey})`) : null),
    body && h("p", {}, `${words.docs.body}: `, shape(body)),
    h("ul", {}, answers),
    h("pre", { tabindex: 0 }, curl),
  );
}

// List the messages that the server receives or sends (action: "receive" or "send").
function messages(action) {
  const named = live.operations[action].messages.map(({ $ref }) => live.components.messages[name($ref)]);
  return h("ul", {}, named.map((message) => h("li", {}, h("code", {}, message.name), ` ${message.summary} `, shape(message.payload))));
}

function schema(title, { description, properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([key, value]) =>
    h("li", {}, h("code", {}, key + (required.includes(key) ? "" : "?")), ": ", h("code", {}, shape(value)), value.description ? ` ${value.description}` : null),
  );
  return h("article", { id: title }, h("h3", {}, title), h("p", {}, description), h("ul", {}, rows));
}

document.body.append(
  h("header", { class: "top" }, h("a", { class: "brand", href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), words.brand)),
  h(
    "main",
    { class: "docs" },
    h("h1", {}, words.docs.heading),
    h("p", {}, words.docs.lead, " ", h("a", { href: "/openapi.json" }, "/openapi.json"), ` ${words.docs.and} `, h("a", { href: "/asyncapi.json" }, "/asyncapi.json"), "."),
    h("h2", {}, words.docs.http),
    Object.entries(http.paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, one]) => operation(path, verb, one))),
    h("h2", {}, words.docs.live),
    Object.values(live.channels).map(({ address, description }) => [
      h("p", {}, description),
      h("pre", { tabindex: 0 }, `${location.origin.replace("http", "ws")}${address}\n\n${EXAMPLE}`),
    ]),
    h("h3", {}, words.docs.received),
    messages("receive"),
    h("h3", {}, words.docs.sent),
    messages("send"),
    h("h2", {}, words.docs.shapes),
    Object.entries({ ...live.components.schemas, ...http.components.schemas }).sort().map(([title, one]) => schema(title, one)),
  ),
);
document.title = `${words.docs.heading} – ${words.brand}`;

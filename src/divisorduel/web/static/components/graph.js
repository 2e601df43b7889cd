// Draws the numbers in layers, with a line between every two numbers that are related.

import { h, put, svg, write } from "./dom.js";
import { words } from "../words/words.js";

const WIDTH = 1000;
const ROW = 120;
const MOST_DRAWN = 200;

// Return the height of each number: the length of the longest ascending chain of related numbers below
// it. If divisors are related, a number with more prime factors is higher.
function heights(numbers, edges) {
  const height = new Map(numbers.map((number) => [number, 0]));
  for (const [low, high] of [...edges].sort((one, other) => one[1] - other[1])) {
    height.set(high, Math.max(height.get(high), height.get(low) + 1));
  }
  return height;
}

export class Graph {
  constructor({ numbers, edges, caption }) {
    this.edges = edges;
    this.note = caption;
    this.caption = h("p", { class: "quiet" });
    this.element = h("figure", { class: "graph" });
    const shown = numbers.length <= MOST_DRAWN;
    this.places = shown ? layOut(numbers, edges) : new Map();
    this.radius = Math.max(11, Math.min(26, 430 / longestRow(this.places)));
    put(this.element, shown && this.draw(numbers), h("figcaption", {}, this.caption));
    if (!shown) write(this.caption, words.graph.none);
  }

  draw(numbers) {
    this.lines = new Map(this.edges.map(([a, b]) => [`${a}-${b}`, this.line(a, b, "edge")]));
    this.pairs = svg("g");
    this.nodes = new Map(numbers.map((number) => [number, this.node(number)]));
    const height = ROW * Math.max(1, ...[...this.places.values()].map((p) => p.row + 1));
    return svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words.graph.label },
      svg("g", {}, [...this.lines.values()]),
      this.pairs,
      [...this.nodes.values()],
    );
  }

  line(a, b, kind) {
    const [from, to] = [this.places.get(a), this.places.get(b)];
    return svg("line", { class: kind, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  }

  node(number) {
    const { x, y } = this.places.get(number);
    const r = this.radius;
    const size = r * Math.min(1.05, 2.6 / String(number).length);
    return svg(
      "g",
      { class: "node" },
      svg("circle", { cx: x, cy: y, r }),
      svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
      svg("text", { x, y: y + size / 3, "font-size": size, "text-anchor": "middle" }, String(number)),
      svg("text", { class: "letter", x: Math.min(x + r, WIDTH - r), y: y - r * 0.7, "font-size": r * 0.8 }),
    );
  }

  show({ turns, playable, legal, last, pairs = [], parts = [], best }) {
    if (!this.nodes) return;
    const seats = new Map(turns.map((turn) => [turn.number, turn.seat]));
    const free = new Set([...(playable ?? []), ...legal]);
    const letters = new Map();
    const named = parts.map((part, at) => ({ ...part, letter: letterOf(at) }));
    for (const part of named) for (const number of part.numbers) letters.set(number, part.letter);
    for (const [number, node] of this.nodes) {
      const seat = seats.get(number);
      const gone = !seat && playable && !free.has(number);
      node.setAttribute(
        "class",
        ["node", seat === 1 && "one", seat === 2 && "two", gone && "gone", number === last && "last",
          legal.includes(number) && "legal", number === best && "best"].filter(Boolean).join(" "),
      );
      write(node.lastChild, letters.get(number) ?? "");
    }
    for (const [a, b] of this.edges) {
      const near = a === last || b === last;
      const dead = (number) => number !== last && playable && !free.has(number);
      this.lines.get(`${a}-${b}`).setAttribute("class", dead(a) || dead(b) ? "edge dead" : near ? "edge near" : "edge");
    }
    put(this.pairs, pairs.filter(([a, b]) => this.places.has(a) && this.places.has(b)).map(([a, b]) => this.line(a, b, "pair")));
    const sentences = [this.note, pairs.length && words.graph.pairs, named.length > 1 && words.graph.parts(named)];
    write(this.caption, sentences.filter(Boolean).join(" "));
  }
}

const letterOf = (at) => (at < 26 ? String.fromCharCode(65 + at) : `${letterOf(Math.floor(at / 26) - 1)}${letterOf(at % 26)}`);

function longestRow(places) {
  const rows = new Map();
  for (const { row } of places.values()) rows.set(row, (rows.get(row) ?? 0) + 1);
  return Math.max(1, ...rows.values());
}

// Place the numbers in layers, the highest on top. A layer too long for one row is split into several.
function layOut(numbers, edges) {
  const layers = new Map();
  const height = heights(numbers, edges);
  for (const number of numbers) {
    const layer = height.get(number);
    layers.set(layer, [...(layers.get(layer) ?? []), number]);
  }
  const places = new Map();
  let row = 0;
  for (const layer of [...layers.keys()].sort((a, b) => b - a)) {
    const all = layers.get(layer);
    const rows = Math.ceil(all.length / 20);
    const each = Math.ceil(all.length / rows);
    for (let at = 0; at < all.length; at += each, row++) {
      const some = all.slice(at, at + each);
      some.forEach((number, i) => {
        const sway = some.length > 2 ? (i % 2 ? 14 : -14) : 0;
        places.set(number, { row, x: ((i + 0.5) * WIDTH) / some.length, y: (row + 0.5) * ROW + sway });
      });
    }
  }
  return places;
}

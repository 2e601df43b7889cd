// Draws the numbers in layers, with the lines that matter now.

import { layers } from "../model/layers.js";
import { words } from "../words/words.js";
import { h, put, svg, write } from "./dom.js";

const WIDTH = 440;
const ROW = 74;
const RADIUS = 25;
const MOST_DRAWN = 200;
const FEW_LINES = 45;
const TINTS = 5;

/** @typedef {import("../model/types.d.ts").BoardData} BoardData */

export class Graph {
  /** @param {BoardData} board @param {{act?: string, choose?: (number: number) => void}} [options] */
  constructor({ numbers, edges, caption, pool }, { act = "chain", choose = () => {} } = {}) {
    // A number leads to any of its divisors: one line for each prime factor is enough to show that.
    this.edges = pool ? edges : edges.filter(([low, high]) => isPrime(high / low));
    this.pool = pool;
    this.act = act;
    this.note = caption;
    this.choose = choose;
    this.caption = h("p", { class: "quiet" });
    this.element = h("figure", { class: "graph" });
    this.pointed = 0;
    this.all = false; // whether every line that matters is drawn
    /** @type {any} */
    this.state = null;
    /** @type {Map<number, {x: number, y: number, row: number}>} */
    this.places = numbers.length <= MOST_DRAWN ? layers(numbers, edges, WIDTH, ROW) : new Map();
    this.areas = svg("g");
    this.lines = svg("g");
    this.nodes = new Map([...this.places.keys()].map((number) => [number, this.node(number)]));
    put(this.element, this.nodes.size > 0 && this.draw(), h("figcaption", {}, this.caption));
    if (!this.nodes.size) write(this.caption, words.graph.none);
  }

  draw() {
    const height = ROW * (1 + Math.max(...[...this.places.values()].map(({ row }) => row)));
    return svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words.graph.label, onpointerleave: () => this.point(0) },
      this.areas,
      this.lines,
      [...this.nodes.values()],
    );
  }

  line(a, b, kind) {
    const from = this.places.get(a);
    const to = this.places.get(b);
    return from && to ? svg("line", { class: kind, x1: from.x, y1: from.y, x2: to.x, y2: to.y }) : null;
  }

  node(number) {
    const { x, y } = this.places.get(number) ?? { x: 0, y: 0 };
    const r = RADIUS;
    const size = r * Math.min(1.05, 2.3 / String(number).length);
    return svg(
      "g",
      { class: "node", onclick: () => this.choose(number), onpointerenter: () => this.point(number) },
      svg("circle", { cx: x, cy: y, r }),
      svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 5 }),
      svg("text", { x, y: y + size / 3, "font-size": size, "text-anchor": "middle" }, String(number)),
    );
  }

  // Show the lines of the number under the pointer.
  point(number) {
    if (number === this.pointed || !this.state) return;
    this.pointed = number;
    this.showLines(this.state);
  }

  show(state) {
    if (!this.nodes.size) return;
    this.state = state;
    const { turns, playable, legal, last, best, marks } = state;
    const seats = new Map(turns.map((turn) => [turn.number, turn.seat]));
    const open = new Set(legal);
    const left = new Set([...(playable ?? []), ...legal]);
    for (const [number, node] of this.nodes) {
      const seat = seats.get(number);
      const classes = {
        one: seat === 1,
        two: seat === 2,
        gone: !seat && !left.has(number),
        last: number === last,
        legal: open.has(number),
        best: number === best || marks?.good?.includes(number),
        bad: number === marks?.bad,
      };
      node.setAttribute("class", ["node", ...Object.keys(classes).filter((name) => classes[name])].join(" "));
    }
    this.showLines(state);
    this.showParts(state.parts ?? []);
    const several = (state.parts ?? []).length > 1;
    const sentences = [...this.told(state), state.pairs?.length && words.graph.pairs, several && words.graph.parts(state.parts)];
    write(this.caption, sentences.filter(Boolean).join(" "));
  }

  // Say which lines are drawn: all that matter now, those of the last number, or none.
  told({ last, pairs = [] }) {
    if (this.all) return [this.note, words.graph.some];
    if (pairs.length) return [];
    return [this.act === "chain" && last ? words.graph.near(last) : this.note, words.graph.point];
  }

  showLines({ playable, legal, last, pairs = [] }) {
    const left = new Set([...(playable ?? []), ...legal]);
    const open = new Set(legal);
    const from = this.act === "chain" ? last : undefined;
    const alive = (number) => left.has(number) || number === from;
    const matter = this.edges.filter(([a, b]) => alive(a) && alive(b) && (open.has(a) || open.has(b)));
    const all = this.all = !pairs.length && matter.length <= FEW_LINES;
    const lines = matter.flatMap(([a, b]) => {
      const near = a === from || b === from || a === this.pointed || b === this.pointed;
      return near || all ? [this.line(a, b, near ? "edge near" : "edge")] : [];
    });
    put(this.lines, lines, pairs.map(([a, b]) => this.line(a, b, "pair")));
  }

  // A part is an area around its numbers, with its value.
  showParts(parts) {
    const tint = (at) => `part tint${at % TINTS}`;
    put(this.areas, parts.length > 1 && parts.map(({ numbers, nimber }, at) => {
      const inside = new Set(numbers);
      const edges = this.edges.filter(([a, b]) => inside.has(a) && inside.has(b));
      const places = numbers.map((number) => this.places.get(number)).filter(Boolean);
      const top = places.reduce((one, other) => (other.y < one.y ? other : one), places[0]);
      return top && svg(
        "g",
        { class: tint(at) },
        svg("g", { class: "tinted" },
          edges.map(([a, b]) => this.line(a, b, "")),
          places.map(({ x, y }) => svg("circle", { cx: x, cy: y, r: RADIUS * 1.35 }))),
        svg("text", { x: Math.min(top.x + 2 * RADIUS, WIDTH), y: top.y - RADIUS * 0.8, "font-size": 20, "text-anchor": "end" }, words.graph.worth(nimber)),
      );
    }));
  }
}

function isPrime(number) {
  for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) return false;
  return number > 1;
}

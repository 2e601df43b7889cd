// Shows the numbers as tiles, as large as the space allows.

import { fit } from "../model/fit.js";
import { words } from "../words/words.js";
import { h, reducedMotion } from "./dom.js";
import { paint } from "./tile.js";
import { Trace } from "./trace.js";

const WIDE = 10;
const LARGEST = 8.5; // rem, with ten columns
const LARGEST_FREE = 12.5;
const SMALL_SCREEN = 420; // up to this width, a board of many numbers takes two taps
const MANY = 50;
const SCROLL_BAR = matchMedia("(pointer: coarse)").matches ? 0 : 16; // px

/** @typedef {import("../model/types.d.ts").BoardData} BoardData */

export class Board {
  /**
   * @param {Pick<BoardData, "numbers" | "pool">} board
   * @param {(number: number) => void} onTake called when the player chooses a tile
   * @param {{act?: string, twoTaps?: () => boolean, onPick?: (number: number | null) => void}} [options]
   */
  constructor(board, onTake, { act = "strike", twoTaps = () => false, onPick = () => {} } = {}) {
    const { numbers } = board;
    this.numbers = numbers;
    this.onTake = onTake;
    this.twoTaps = twoTaps;
    this.onPick = onPick;
    this.act = act;
    this.tiles = new Map(numbers.map((number) => [number, this.tile(number)]));
    this.longest = String(numbers.at(-1) ?? "").length;
    // Ten columns on larger boards, as on a hundred square; otherwise what suits the window.
    this.fixed = board.pool && numbers.length > WIDE ? WIDE : 0;
    this.columns = this.fixed || Math.min(numbers.length, 5) || 1;
    // Consecutive numbers are in the column of their last digit.
    this.offset = this.fixed && numbers[1] - numbers[0] === 1 ? (numbers[0] - 1) % WIDE : 0;
    this.ratio = board.pool ? 1 : Math.max(1.2, 0.5 + 0.42 * this.longest);
    this.trace = new Trace(this);
    // Until its tiles have their size, the board is not shown: nothing moves, and nothing is laid out twice.
    this.grid = h("div", { hidden: true, class: "board", role: numbers.length ? "grid" : null, "aria-label": numbers.length ? words.match.board : null });
    this.element = h("div", { class: "area" }, this.grid);
    this.grid.classList.toggle("free", !this.fixed);
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.focused = numbers[0];
    /** @type {number | null} */
    this.picked = null;
    this.arrange();
    this.rove(this.focused);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.element);
  }

  // Rows and cells are for screen readers.
  arrange() {
    const cells = this.numbers.map((number) => h("div", { role: "gridcell", class: "through" }, this.tiles.get(number)));
    const rows = [];
    for (let from = 0, to = this.columns - this.offset; from < cells.length; from = to, to += this.columns) {
      rows.push(h("div", { role: "row", class: "through" }, cells.slice(from, to)));
    }
    const first = this.tiles.get(this.numbers[0]);
    if (first && this.offset) first.style.gridColumnStart = String(this.offset + 1);
    const focused = this.grid.contains(document.activeElement);
    this.grid.replaceChildren(this.trace.element, ...rows);
    if (focused) this.focus();
  }

  fit() {
    if (!this.element.isConnected) return;
    const style = getComputedStyle(this.element);
    // The scroll bar must not change the width, or tiles and scroll bar could chase each other.
    const width = this.element.offsetWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = this.element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    if (width <= 0 || height <= 0 || !this.numbers.length) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { ratio, offset, numbers: { length: count } } = this;
    const cap = rem * (this.fixed ? LARGEST : this.ratio > 1 ? 5.5 : LARGEST_FREE);
    const { columns, w, h: high, gap, scrolls } = fit({ count, columns: this.fixed, offset, ratio, width, height, cap }, SCROLL_BAR);
    if (columns !== this.columns) {
      this.columns = columns;
      this.arrange();
    }
    const set = (name, value) => this.grid.style.setProperty(name, value);
    set("--columns", columns);
    set("--w", `${Math.floor(w * 10) / 10}px`);
    set("--h", `${Math.floor(high * 10) / 10}px`);
    set("--gap", `${gap}px`);
    this.grid.hidden = false;
    this.element.classList.toggle("scrolls", scrolls);
    this.grid.classList.toggle("tiny", w < 44);
    this.grid.classList.toggle("flat", w < 44 && high < 1.25 * w); // no room for a mark above the number
    this.trace.redraw();
  }

  tile(number) {
    const digits = String(number).length;
    const tile = h(
      "button",
      { type: "button", class: "tile", tabindex: "-1", onclick: (event) => this.choose(number, event), onfocus: () => this.rove(number) },
      h("span", { class: "mark", "aria-hidden": "true" }),
      h("span", { class: "digits" }, String(number)),
      h("span", { class: "note", "aria-hidden": "true" }),
    );
    tile.style.setProperty("--share", String(digits < 3 ? 0.42 : digits === 3 ? 0.34 : 1.1 / digits));
    return tile;
  }

  // With small tiles, the first tap shows the number large, and the second takes it. A number that
  // cannot be taken is refused at once.
  choose(number, { detail } = { detail: 0 }) {
    const tapped = detail > 0 && this.numbers.length > MANY && this.element.clientWidth <= SMALL_SCREEN;
    const free = this.tiles.get(number)?.getAttribute("aria-disabled") === "false";
    if (tapped && free && this.picked !== number && this.twoTaps()) return this.pick(number);
    this.pick(null);
    this.rove(number);
    this.onTake(number);
  }

  /** @param {number | null} number */
  pick(number) {
    if (number === this.picked) return;
    this.onPick(number);
    this.tiles.get(this.picked ?? 0)?.classList.remove("picked");
    this.picked = number;
    this.tiles.get(number ?? 0)?.classList.add("picked");
  }

  // The Tab key reaches only one tile; the arrow keys move to the others.
  rove(number) {
    const before = this.tiles.get(this.focused);
    if (before) before.tabIndex = -1;
    this.focused = number;
    const now = this.tiles.get(number);
    if (now) now.tabIndex = 0;
  }

  focus(number = this.focused) {
    const tile = this.tiles.get(number);
    if (!tile) return false;
    if (this.grid.hidden) this.fit();
    this.rove(number);
    tile.focus();
    return true;
  }

  key(event) {
    const at = this.numbers.indexOf(this.focused);
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - this.columns,
      ArrowDown: at + this.columns,
      Home: 0,
      End: this.numbers.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.numbers[to] !== undefined) this.focus(this.numbers[to]);
  }

  /** Show that a number cannot be taken. @param {number} number */
  shake(number) {
    const tile = this.tiles.get(number);
    if (!tile || reducedMotion.matches) return;
    tile.animate([0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 180 });
  }

  /**
   * Show a position. `marks` has the numbers that a review marks.
   * @param {import("../model/types.d.ts").Position & {names: string[], best?: number | null, pending?: number | null,
   *   partner?: Map<number, {letter: string, other: number}>, just?: number | null,
   *   judged?: Map<number, import("../model/types.d.ts").Option>,
   *   marks?: {good?: number[], bad?: number | null, could?: number[]}}} state
   */
  show(state) {
    if (this.picked !== null && !state.canMove) this.pick(null);
    const legal = new Set(state.legal);
    const playable = state.playable && new Set(state.playable);
    const taken = new Map(state.turns.map((turn) => [turn.number, turn]));
    this.grid.classList.toggle("mine", state.canMove);
    let order = 0;
    for (const [number, tile] of this.tiles) {
      const turn = taken.get(number);
      const isLegal = legal.has(number);
      const isGone = Boolean(!turn && !isLegal && playable && !playable.has(number));
      const fresh = isGone && state.just && !tile.classList.contains("gone");
      paint(tile, number, { turn, isLegal, isGone, state });
      if (fresh) this.leave(tile, order++);
      const label = labelOf(number, { turn, isLegal, isGone, state });
      if (tile.getAttribute("aria-label") !== label) tile.setAttribute("aria-label", label);
    }
    const numbers = this.act === "chain" ? state.turns.map((turn) => turn.number) : [];
    this.trace.show(numbers.slice(-2), Boolean(state.just));
    if (state.just) this.tiles.get(state.just)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Numbers leave the board one after the other, so that players see why.
  leave(tile, order) {
    if (reducedMotion.matches) return;
    const keyframes = this.act === "fall"
      ? [{ transform: "none", opacity: 1 }, { transform: "translateY(14px) rotate(5deg)", opacity: 0.2 }, { transform: "none" }]
      : [{ opacity: 1, transform: "scale(1)" }, { opacity: 0.5, transform: "scale(.82)" }, { transform: "none" }];
    tile.animate(keyframes, { duration: 260, delay: Math.min(40 * order, 800), fill: "backwards" });
  }
}

/** On a phone, let advice use the space below the board, and cover no tile. @param {HTMLElement} element @param {Board} board */
export function useSpaceBelow(element, { grid }) {
  const below = innerHeight - grid.getBoundingClientRect().bottom;
  element.style.setProperty("--below", `${Math.floor(below) - 8}px`);
}

function labelOf(number, { turn, isLegal, isGone, state }) {
  const could = turn && state.marks?.could?.includes(number);
  let label = could ? words.tile.could(number, state.names[turn.seat - 1]) : turn
    ? words.tile.taken(number, state.names[turn.seat - 1], turn.turn)
    : isLegal
      ? words.tile.free(number)
      : isGone
        ? words.tile.gone(number)
        : state.legal.length || state.canMove
          ? words.tile.blocked(number)
          : words.tile.waiting(number);
  const partner = state.partner?.get(number);
  const judged = turn ? undefined : state.judged?.get(number);
  if (number === state.last) label = words.tile.last(label);
  if (partner) label = words.tile.partner(label, partner.other);
  if (judged) label = words.tile.judged(label, judged);
  if (number === state.best) label = words.tile.best(label);
  if (number === state.pending) label = words.tile.pending(label);
  if (state.marks?.good?.includes(number)) label = words.tile.good(label);
  if (number === state.marks?.bad) label = words.tile.bad(label);
  return label;
}

// Lines over the board: the link to the last number, and the path of a whole game.

import { reducedMotion, svg } from "./dom.js";

const LINK = 200; // ms
const PATH = 1200;

export class Trace {
  /** @param {{tiles: Map<number, HTMLElement>}} board */
  constructor(board) {
    this.board = board;
    this.line = svg("path", { pathLength: 1 });
    this.element = svg("svg", { class: "trace", "aria-hidden": "true" }, this.line);
    /** @type {number[]} */
    this.numbers = [];
  }

  show(numbers, moving) {
    const same = numbers.join() === this.numbers.join();
    this.numbers = numbers;
    this.redraw();
    if (moving && !same && numbers.length > 1) this.draw(LINK);
  }

  /** Draw the path of a whole game once. @param {number[]} numbers */
  async replay(numbers) {
    if (reducedMotion.matches || numbers.length < 3) return;
    this.numbers = numbers;
    this.redraw();
    await this.draw(PATH)?.finished.catch(() => {});
  }

  draw(duration) {
    if (reducedMotion.matches) return null;
    const frames = [{ strokeDasharray: "1", strokeDashoffset: "1" }, { strokeDasharray: "1", strokeDashoffset: "0" }];
    return this.line.animate(frames, { duration, easing: "ease-out" });
  }

  redraw() {
    const tiles = this.numbers.map((number) => this.board.tiles.get(number)).filter((tile) => tile !== undefined);
    const points = tiles.map((tile) => [tile.offsetLeft + tile.offsetWidth / 2, tile.offsetTop + tile.offsetHeight / 2]);
    const bow = tiles[0]?.offsetHeight ?? 0;
    this.line.setAttribute("d", points.slice(1).map((to, at) => arc(points[at], to, bow)).join(""));
  }
}

// A bow, so that a link does not strike out the numbers between its ends.
/** @param {number[]} from @param {number[]} to @param {number} bow */
function arc([x, y], [toX, toY], bow) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const up = toX > x ? -1 : 1;
  const by = (1.05 * bow * up) / length;
  const [midX, midY] = [(x + toX) / 2 - (toY - y) * by, (y + toY) / 2 + (toX - x) * by];
  return `M${x} ${y}Q${midX} ${midY} ${toX} ${toY}`;
}

// The moves that were tried from a position, with their branches.

/** @param {number[]} moves */
const keyOf = (moves) => moves.join("-");

export class MoveTree {
  /** @param {string} code the position where every line starts */
  constructor(code) {
    this.code = code;
    /** @type {Map<string, {moves: number[], children: number[], next: number | null}>} */
    this.nodes = new Map([["", { moves: [], children: [], next: null }]]);
  }

  /** Add a line, and make it the one that `forward` follows. @param {number[]} moves */
  add(moves) {
    for (const [at, number] of moves.entries()) {
      const node = this.node(moves.slice(0, at));
      node.next = number;
      if (node.children.includes(number)) continue;
      node.children.push(number);
      const line = moves.slice(0, at + 1);
      this.nodes.set(keyOf(line), { moves: line, children: [], next: null });
    }
  }

  /** @param {number[]} moves */
  node(moves) {
    const found = this.nodes.get(keyOf(moves));
    if (!found) throw new RangeError(keyOf(moves));
    return found;
  }

  /** The line with one more move: the one that was shown last; null at the end. @param {number[]} moves */
  forward(moves) {
    const { next } = this.node(moves);
    return next === null ? null : [...moves, next];
  }

  /** Remove a move and everything after it. @param {number[]} moves */
  remove(moves) {
    const above = this.node(moves.slice(0, -1));
    const number = moves.at(-1);
    above.children = above.children.filter((child) => child !== number);
    if (above.next === number) above.next = above.children[0] ?? null;
    const key = keyOf(moves);
    for (const one of this.nodes.keys()) if (one === key || one.startsWith(`${key}-`)) this.nodes.delete(one);
  }

  get isEmpty() {
    return this.nodes.size === 1;
  }
}

// Shows the numbers as tiles.

import { h, write } from "./dom.js";
import { words } from "../words/words.js";

const WIDE = 10;

// Return the number of columns: ten on larger boards, as on a hundred square.
function columnsFor({ numbers, pool }) {
  if (!pool) return 0;
  return numbers.length <= WIDE ? Math.min(numbers.length, 5) : WIDE;
}

export class Board {
  // onTake(number) is called when the player chooses a tile.
  constructor(board, onTake) {
    const { numbers } = board;
    this.numbers = numbers;
    this.onTake = onTake;
    this.columns = columnsFor(board);
    this.tiles = new Map(numbers.map((number) => [number, this.tile(number)]));
    const longest = String(numbers.at(-1) ?? "").length;
    const isLong = longest > 3;
    // Consecutive numbers are in the column of their last digit.
    const offset = this.columns === WIDE && !isLong && numbers[1] - numbers[0] === 1 ? (numbers[0] - 1) % WIDE : 0;
    this.element = h("div", { class: "board", role: numbers.length ? "grid" : null, "aria-label": numbers.length ? words.match.board : null }, this.rows(offset));
    this.element.classList.toggle("long", isLong);
    if (this.columns) {
      this.element.classList.add("square");
      this.element.style.setProperty("--columns", this.columns);
      this.element.style.setProperty("--rows", Math.ceil((numbers.length + offset) / this.columns));
      if (offset) this.tiles.get(numbers[0]).style.gridColumnStart = offset + 1;
    } else {
      this.element.style.setProperty("--digits", longest);
    }
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.focused = numbers[0];
    this.rove(this.focused);
  }

  // Rows and cells are for screen readers.
  rows(offset) {
    const cells = this.numbers.map((number) => h("div", { role: "gridcell", class: "through" }, this.tiles.get(number)));
    const rows = [];
    const each = this.columns || Math.max(1, cells.length);
    for (let from = 0, to = each - offset; from < cells.length; from = to, to += each) {
      rows.push(h("div", { role: "row", class: "through" }, cells.slice(from, to)));
    }
    return rows;
  }

  tile(number) {
    return h(
      "button",
      { class: "tile", type: "button", tabindex: "-1", onclick: () => this.choose(number), onfocus: () => this.rove(number) },
      h("span", { class: "mark", "aria-hidden": "true" }),
      h("span", { class: "digits", "aria-hidden": "true" }, String(number)),
      h("span", { class: "note", "aria-hidden": "true" }),
    );
  }

  choose(number) {
    this.rove(number);
    this.onTake(number);
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
    if (!this.tiles.has(number)) return false;
    this.rove(number);
    this.tiles.get(number).focus();
    return true;
  }

  key(event) {
    const at = this.numbers.indexOf(this.focused);
    const columns = this.countColumns();
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns,
      ArrowDown: at + columns,
      Home: 0,
      End: this.numbers.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (this.numbers[to] !== undefined) this.focus(this.numbers[to]);
  }

  countColumns() {
    return getComputedStyle(this.element).gridTemplateColumns.split(" ").length;
  }

  // show({ legal, turns: [{number, seat, turn}], playable, last, names, canMove, best, partner, just })
  show(state) {
    const legal = new Set(state.legal);
    const playable = state.playable && new Set(state.playable);
    const taken = new Map(state.turns.map((turn) => [turn.number, turn]));
    for (const [number, tile] of this.tiles) {
      const turn = taken.get(number);
      const isLegal = legal.has(number);
      const isGone = !turn && !isLegal && playable && !playable.has(number);
      const partner = state.partner?.get(number);
      tile.className = "tile";
      tile.classList.toggle("legal", isLegal);
      tile.classList.toggle("one", turn?.seat === 1);
      tile.classList.toggle("two", turn?.seat === 2);
      tile.classList.toggle("taken", Boolean(turn));
      tile.classList.toggle("gone", Boolean(isGone));
      tile.classList.toggle("last", number === state.last);
      tile.classList.toggle("best", number === state.best);
      tile.classList.toggle("just", number === state.just);
      tile.setAttribute("aria-disabled", String(!(isLegal && state.canMove)));
      const [mark, , note] = tile.children;
      write(mark, turn ? words.match.seatMark[turn.seat] : "");
      write(note, turn ? String(turn.turn) : partner ? `↔${partner}` : "");
      const label = this.label(number, { turn, isLegal, isGone, partner, state });
      if (tile.getAttribute("aria-label") !== label) tile.setAttribute("aria-label", label);
    }
  }

  label(number, { turn, isLegal, isGone, partner, state }) {
    let label = turn
      ? words.tile.taken(number, state.names[turn.seat - 1], turn.turn)
      : isLegal
        ? words.tile.free(number)
        : isGone
          ? words.tile.gone(number)
          : state.legal.length || state.canMove
            ? words.tile.blocked(number)
            : words.tile.waiting(number);
    if (number === state.last) label = words.tile.last(label);
    if (partner) label = words.tile.partner(label, partner);
    if (number === state.best) label = words.tile.best(label);
    return label;
  }
}

// How large the tiles of a board can be.

/**
 * @typedef {object} Space
 * @property {number} count how many tiles there are
 * @property {number} columns the columns, or 0 for any number of them
 * @property {number} offset how many places of the first row stay empty
 * @property {number} ratio the width of a tile, divided by its height
 * @property {number} width
 * @property {number} height
 * @property {number} cap the largest tile
 */

const SMALLEST = 30; // a finger can hit it
const SCROLLING = 52; // the size of tiles if not all of them fit
const NARROW = 56; // below this width, tiles grow taller than wide
const TALL = 1.55;
const FULL_ROWS = 1.15; // how much larger tiles must be to make up for a last row that is not full

const FREE_GAP = 8;
const gapFor = (width) => (width < 360 ? 1 : width < 600 ? 2 : width < 1000 ? 5 : 6);

/** A board that is too tall scrolls, and leaves room for its scroll bar. @param {Space} space @param {number} [bar] the width of a scroll bar */
export function fit(space, bar = 0) {
  const gap = space.columns ? gapFor(space.width) : FREE_GAP;
  const size = space.columns ? fixed(space, gap) : free(space, gap);
  const rows = Math.ceil((space.count + space.offset) / size.columns);
  const scrolls = rows * (size.h + gap) - gap > space.height + 0.5;
  return scrolls && bar ? fit({ ...space, width: space.width - bar }) : { gap, scrolls, ...size };
}

const share = (length, parts, gap) => (length - (parts - 1) * gap) / parts;

function fixed({ count, columns, offset, width, height, cap }, gap) {
  const rows = Math.ceil((count + offset) / columns);
  const high = share(height, rows, gap);
  const across = Math.min(share(width, columns, gap), cap);
  if (across < NARROW && (high >= across || high < SMALLEST)) return { columns, w: across, h: Math.max(across, Math.min(high, TALL * across)) };
  const side = Math.min(across, high >= SMALLEST ? high : SCROLLING);
  return { columns, w: side, h: side };
}

function free({ count, ratio, width, height, cap }, gap) {
  let best = { score: 0, columns: 1, side: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const side = Math.min(share(width, columns, gap) / ratio, share(height, rows, gap), cap);
    const score = side * (count % columns ? 1 : FULL_ROWS);
    if (score >= best.score) best = { score, columns, side };
  }
  if (best.side >= SMALLEST) return { columns: best.columns, w: best.side * ratio, h: best.side };
  // Too many for the screen: the board scrolls.
  const columns = Math.max(1, Math.floor((width + gap) / (SMALLEST * ratio + gap)));
  return { columns, w: share(width, columns, gap), h: 1.3 * SMALLEST };
}

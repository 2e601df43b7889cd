// Places the numbers of a graph in layers.

const PER_ROW = 6;
const SWAY = 9; // so that lines between the numbers of a row can be seen

// Return the height of each number: the length of the longest ascending chain of related numbers below
// it. If divisors are related, a number with more prime factors is higher.
function heights(numbers, edges) {
  const height = new Map(numbers.map((number) => [number, 0]));
  for (const [low, high] of [...edges].sort((one, other) => one[1] - other[1])) {
    height.set(high, Math.max(height.get(high), height.get(low) + 1));
  }
  return height;
}

/**
 * Place the numbers in layers, the highest on top. A layer too long for one row is split into several.
 * @param {number[]} numbers @param {[number, number][]} edges @param {number} width @param {number} row
 */
export function layers(numbers, edges, width, row) {
  const found = new Map();
  const height = heights(numbers, edges);
  for (const number of numbers) {
    const layer = height.get(number);
    found.set(layer, [...(found.get(layer) ?? []), number]);
  }
  const places = new Map();
  let at = 0;
  for (const layer of [...found.keys()].sort((a, b) => b - a)) {
    const all = found.get(layer);
    const each = Math.ceil(all.length / Math.ceil(all.length / PER_ROW));
    for (let from = 0; from < all.length; from += each, at++) {
      const some = all.slice(from, from + each);
      some.forEach((number, i) => {
        const sway = some.length > 2 ? (i % 2 ? SWAY : -SWAY) : 0;
        places.set(number, { row: at, x: ((i + 0.5) * width) / some.length, y: (at + 0.5) * row + sway });
      });
    }
  }
  return places;
}

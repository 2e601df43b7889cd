// The numbers that answer each other, each pair under a letter.

const letterOf = (at) => (at < 26 ? String.fromCharCode(65 + at) : `${letterOf(Math.floor(at / 26) - 1)}${letterOf(at % 26)}`);

/** @param {[number, number][]} pairs @returns {Map<number, {letter: string, other: number}>} */
export const partnersOf = (pairs) => new Map(pairs.flatMap(([a, b], at) => {
  const letter = letterOf(at);
  return [[a, { letter, other: b }], [b, { letter, other: a }]];
}));

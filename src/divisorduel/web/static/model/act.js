// What a move does to the board, as the example of the rule book shows it.

/** @typedef {import("./types.d.ts").RuleBook} RuleBook */

/**
 * "chain": each number follows from the one before. "fall": the multiples of a number go with it.
 * "strike": a number rules out others, smaller ones included.
 * @param {RuleBook | undefined} book
 */
export function actOf(book) {
  if (!book) return "strike";
  const { board, round: { turns } } = book.example;
  const edges = new Set(board.edges.map(([low, high]) => `${low}-${high}`));
  const related = (a, b) => edges.has(`${Math.min(a, b)}-${Math.max(a, b)}`);
  if (turns.slice(1).every(({ number }, at) => related(turns[at].number, number))) return "chain";
  return turns.every(({ number, gone }) => gone.every((other) => other > number)) ? "fall" : "strike";
}

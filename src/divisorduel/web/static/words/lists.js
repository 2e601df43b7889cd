// Numbers, names, lists and counts in sentences.

export const list = (items, last = "and") =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;

export const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");

export const titleOf = (game) => game.nickname || game.title;

/** The name of a game and the short name that tells it apart from others of that name. */
export const bothNames = ({ title, nickname }) => (nickname ? `${title}: ${nickname}` : title);

export const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

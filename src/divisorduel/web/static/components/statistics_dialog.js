// The dialog with your results, which can be exported and imported.

import { ruleBooks } from "../model/api.js";
import { exportText, importText, results } from "../model/statistics.js";
import { words } from "../words/words.js";
import { h, put, tell, write } from "./dom.js";

/** @param {Map<string, string>} names the names of games to show, by the names under which results are stored */
function table(names) {
  const games = Object.entries(results());
  if (!games.length) return h("p", { class: "quiet" }, words.statistics.none);
  const head = [words.statistics.game, words.setup.level, words.statistics.won, words.statistics.lost];
  const rows = games.flatMap(([game, levels]) => Object.entries(levels).map(([level, { won, lost }]) => [names.get(game) ?? game, words.setup.levels(level), won, lost]));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text) => h("td", {}, String(text)))))),
  );
}

export async function showStatistics() {
  const names = new Map((await ruleBooks()).map((book) => [words.title(book), words.bothNames(book)]));
  const box = h("div", { class: "statistics" }, table(names));
  const said = h("p", { role: "status", class: "quiet" });
  const save = () => {
    const address = URL.createObjectURL(new Blob([exportText()], { type: "application/json" }));
    h("a", { href: address, download: "divisor-duel-results.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const input = h("input", { type: "file", accept: ".json,application/json", onchange: async () => {
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (text === undefined) return;
    write(said, importText(text) ? words.statistics.imported : words.statistics.wrong);
    put(box, table(names));
  } });
  tell(
    words.statistics.heading,
    words.close,
    h("p", { class: "quiet" }, words.statistics.lead),
    box,
    h("p", { class: "row" }, h("button", { type: "button", onclick: save }, words.statistics.save)),
    h("label", { class: "field" }, h("span", {}, words.statistics.load), input),
    said,
  );
}

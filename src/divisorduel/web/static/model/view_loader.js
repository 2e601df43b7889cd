// Loads a view with all its modules at once, not one after the other as they import each other.

/** @type {Record<string, string[]>} the modules of each view, which the server lists in the page */
const modules = JSON.parse(document.getElementById("modules")?.textContent ?? "{}");

/** @param {string} name @returns {Promise<any>} */
export function load(name) {
  for (const path of modules[name] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(`../${path}`, import.meta.url).href;
    document.head.append(link);
  }
  delete modules[name];
  return import(`../views/${name}.js`);
}

// Keeps the files of the page, so that it opens without the server.
//
// The server fills in the version and the names of the files. Nothing else is ever kept: no responses from
// the API, no addresses, no keys. The page itself is requested from the server first, so a new version is seen at once.

const BASE = "/static/VERSION/";
const FILES = [/* files */];
const CACHE = `divisorduel ${BASE}`;

const worker = /** @type {any} */ (self);

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => BASE + name));
  await worker.skipWaiting();
}

async function dropOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith("divisorduel ") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

const kept = async (name) => (await (await caches.open(CACHE)).match(BASE + name)) ?? Response.error();

// Ask the server; if it does not answer, use what was kept under this name.
async function fresh(request, name) {
  try {
    const response = await fetch(request);
    return response.status < 500 ? response : await kept(name);
  } catch {
    return await kept(name);
  }
}

async function fileOf(request, name) {
  const found = await kept(name);
  return found.ok ? found : await fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(BASE)) event.respondWith(fileOf(request, pathname.slice(BASE.length)));
  else if (pathname.startsWith("/static/")) event.respondWith(fresh(request, pathname.slice("/static/".length)));
  else if (pathname === "/" && request.mode === "navigate") event.respondWith(fresh(request, "index.html"));
});

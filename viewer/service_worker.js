// Keeps the files of a page without a server, so that it opens without a network. make_page.mjs writes the two constants; a page
// with any other file has another name, and takes the place of the old one when no tab shows that any more.
// Caches are of the whole origin, and other pages like this may be on it.
const prefix = `fureai ${self.registration.scope} `;
const name = prefix + CACHE_NAME;
const files = CACHE_FILES;

self.addEventListener("install", (event) => {
    const fresh = files.map((file) => new Request(file, { cache: "reload" }));
    event.waitUntil(caches.open(name).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
    const isOld = (key) => key.startsWith(prefix) && key !== name;
    event.waitUntil(
        caches
            .keys()
            .then((keys) => Promise.all(keys.filter(isOld).map((key) => caches.delete(key))))
            .then(() => self.clients.claim()),
    );
});

// What is kept is given; all else is fetched as without this worker.
self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && new URL(event.request.url).origin === self.location.origin) {
        const kept = caches.open(name).then((cache) => cache.match(event.request, { ignoreSearch: true }));
        event.respondWith(kept.then((reply) => reply ?? fetch(event.request)));
    }
});

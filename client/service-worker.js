// Says that the server cannot be reached, in place of the browser. It keeps the page that says so and nothing else:
// what belongs to somebody is never stored, and a new release needs nothing of it.
const kept = 'knowhow-offline-VERSION';
const page = '/offline/index.html';
const files = [page, '/offline/offline.css', '/offline/offline.js', '/favicon.svg'];

addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(fresh)));
  skipWaiting();
});

addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== 'GET') {
    return;
  }
  if (files.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  } else if (request.mode === 'navigate' && !/^\/(?:api|embed)\//.test(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(page)));
  }
});

// One that a page could not show by itself, as on phones.
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name)));
}

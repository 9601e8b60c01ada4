// Shows an offline page when the server is unreachable. It caches only that page: no user data and no scripts, so a
// new release needs no cache update.
const cacheName = 'knowhow-offline-VERSION';
const page = '/offline/index.html';
const files = [page, '/offline/offline.css', '/offline/offline.js', '/favicon.svg'];

addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(fresh)));
  skipWaiting();
});

addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches().then(() => clients.claim()));
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

// A notification shown by the service worker, because pages cannot show them on phones.
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
}

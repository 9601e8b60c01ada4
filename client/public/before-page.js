// Runs before the page. A separate file, because the content security policy forbids inline scripts.

// In a frame of another site, browsers may block storage. Values are then kept in memory, as long as the page is open.
try {
  localStorage.length;
} catch {
  const memory = {
    getItem(key) {
      return Object.hasOwn(this, key) ? this[key] : null;
    },
    setItem(key, value) {
      this[key] = String(value);
    },
    removeItem(key) {
      delete this[key];
    },
  };
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { value: Object.create(memory) });
  }
}

// Sets the light or dark theme before the first paint. The app takes over once it runs.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();

// Registers the service worker, which shows an offline page and makes the app installable. Unregisters it if that is
// disabled. Frames do not register it.
addEventListener('load', () => {
  const { serviceWorker } = navigator;
  if (!serviceWorker || parent !== window) {
    return;
  }
  const done = document.querySelector('link[rel="manifest"]')
    ? serviceWorker.register('/service-worker.js')
    : serviceWorker.getRegistration().then((known) => known?.unregister());
  // The page works without it.
  done.catch(() => undefined);
});

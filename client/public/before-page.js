// What has to be there before the page. A file of its own, because the content security policy allows no
// inline scripts.

// In a frame of another site, browsers may refuse storage: what is written then lasts as long as the page.
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

// Light or dark, before the page is painted. The app takes over once it runs.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();

// What says so where the server cannot be reached, and makes the page an app that can be installed; gone again where
// this is switched off, in frames it is not begun.
addEventListener('load', () => {
  const { serviceWorker } = navigator;
  if (!serviceWorker || parent !== window) {
    return;
  }
  const done = document.querySelector('link[rel="manifest"]')
    ? serviceWorker.register('/service-worker.js')
    : serviceWorker.getRegistration().then((known) => known?.unregister());
  // A browser that refuses it shows the page all the same.
  done.catch(() => undefined);
});

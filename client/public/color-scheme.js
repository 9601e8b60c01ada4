// Sets light or dark before the page is painted. A file of its own, because the content security
// policy allows no inline scripts. The app takes over once it runs.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();

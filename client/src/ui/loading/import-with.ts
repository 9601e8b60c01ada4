/** Loaded or pending files, by path. */
const files = new Map<string, Promise<void>>();

/**
 * Runs a dynamic import once all its files are loaded. A browser remembers a failed module for the lifetime of
 * the page (https://html.spec.whatwg.org/multipage/webappapis.html#module-map), so it would not be retried when
 * the connection returns. Rejects when a file cannot be loaded.
 *
 * The build uses it in place of Vite's own helper (see `vite.config.ts`).
 *
 * @param paths of scripts and style sheets, below the root of the site
 */
export async function importWith<Module>(
  load: () => Promise<Module>,
  paths: readonly string[] = [],
): Promise<Module> {
  await Promise.all(paths.map(loadOnce));
  return load();
}

/** A failed file is retried by the next caller. */
function loadOnce(path: string): Promise<void> {
  const known = files.get(path);
  if (known) {
    return known;
  }
  const file = path.endsWith('.css') ? addStyles(`/${path}`) : fetchCompletely(`/${path}`);
  files.set(path, file);
  file.catch(() => files.delete(path));
  return file;
}

/** Fetches a script into the browser's cache, where the import finds it. */
async function fetchCompletely(url: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}`);
  }
  await answer.arrayBuffer();
}

function addStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) {
      resolve();
      return;
    }
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} could not be loaded.`));
    };
    document.head.append(link);
  });
}

/** By path: what is here, or on its way. */
const files = new Map<string, Promise<void>>();

/**
 * Makes a dynamic import once all its files are here. A browser remembers, as long as the page is open, that
 * a module could not be loaded (https://html.spec.whatwg.org/multipage/webappapis.html#module-map): it would not
 * be tried again when the connection is back. Rejects when a file cannot be loaded.
 *
 * The build puts it in place of Vite's own helper (see `vite.config.ts`).
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

/** What failed is tried again by the next who wants it. */
function loadOnce(path: string): Promise<void> {
  const known = files.get(path);
  if (known) {
    return known;
  }
  const file = path.endsWith('.css') ? addStyles(`/${path}`) : fetchWhole(`/${path}`);
  files.set(path, file);
  file.catch(() => files.delete(path));
  return file;
}

/** Puts a script into the browser's cache, from where the import has it. */
async function fetchWhole(url: string): Promise<void> {
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

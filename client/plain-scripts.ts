import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { minifySync, type Plugin } from 'vite';

/** Scripts that are not part of the page, with their maximum size in bytes. */
const scripts = { 'embed.js': 5000, 'service-worker.js': 2000, 'offline/offline.js': 5000 };

/** Adds standalone scripts to the client's output, minified and without globals. */
export function plainScripts(): Plugin {
  return {
    name: 'plain-scripts',
    apply: 'build',
    generateBundle() {
      const texts = JSON.stringify(readOfflineTexts());
      const version = hashOfflinePage(texts);
      for (const [fileName, maxBytes] of Object.entries(scripts)) {
        const text = readFileSync(new URL(fileName, import.meta.url), 'utf8');
        const source = text.replace('VERSION', version).replace('OFFLINE_TEXTS', () => texts);
        const { code } = minifySync(fileName, `(() => {${source}})();`, { module: false });
        const bytes = Buffer.byteLength(code);
        if (bytes > maxBytes) {
          this.error(`${fileName} has ${bytes} bytes; the limit is ${maxBytes}.`);
        }
        this.emitFile({ type: 'asset', fileName, source: code });
      }
    },
  };
}

/** The texts of the offline page by language, and the direction of each language. */
function readOfflineTexts(): Record<string, object> {
  const locales = new URL('../locales/', import.meta.url);
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, locales), 'utf8'));
  return Object.fromEntries(
    readdirSync(locales).map((language) => {
      const { offlinePage } = read(`${language}/server.json`);
      const { direction } = read(`${language}/language.json`);
      return [language, { ...offlinePage, direction }];
    }),
  );
}

/** A hash of the files of the offline page and of its texts. */
function hashOfflinePage(texts: string): string {
  const hash = createHash('sha256').update(texts);
  for (const folder of ['public/offline', 'offline']) {
    for (const name of readdirSync(new URL(folder, import.meta.url))) {
      hash.update(readFileSync(new URL(`${folder}/${name}`, import.meta.url)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

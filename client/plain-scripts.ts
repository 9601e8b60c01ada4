import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { minifySync, type Plugin } from 'vite';

/** The scripts that are not part of the page, each with its largest size in bytes. */
const scripts = { 'embed.js': 5000, 'service-worker.js': 2000 };

/** Puts scripts among the files of the client that stand by themselves, as small as can be, and without globals. */
export function plainScripts(): Plugin {
  return {
    name: 'plain-scripts',
    apply: 'build',
    generateBundle() {
      for (const [fileName, most] of Object.entries(scripts)) {
        const text = readFileSync(new URL(fileName, import.meta.url), 'utf8');
        const source = text.replace('VERSION', versionOf('public/offline'));
        const { code } = minifySync(fileName, `(() => {${source}})();`, { module: false });
        if (code.length > most) {
          this.error(`${fileName} has ${code.length} bytes; the limit is ${most}.`);
        }
        this.emitFile({ type: 'asset', fileName, source: code });
      }
    },
  };
}

/** Another one for each content of a folder. */
function versionOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(new URL(folder, import.meta.url))) {
    hash.update(readFileSync(new URL(`${folder}/${name}`, import.meta.url)));
  }
  return hash.digest('hex').slice(0, 12);
}

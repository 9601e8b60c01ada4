import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Copies Mermaid's own build into the client's output, and writes its version into the frame that loads it. If it
 * were bundled, it would share chunks with the page, which the frame must not load.
 */
export function mermaidFiles(): Plugin {
  const dist = dirname(fileURLToPath(import.meta.resolve('mermaid')));
  const main = 'mermaid.esm.min.mjs';
  const chunks = 'chunks/mermaid.esm.min';
  const manifest = readFileSync(join(dist, '../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return {
    name: 'mermaid-files',
    apply: 'build',
    generateBundle() {
      const scripts = readdirSync(join(dist, chunks)).filter((name) => name.endsWith('.mjs'));
      for (const file of [main, ...scripts.map((name) => `${chunks}/${name}`)]) {
        const source = readFileSync(join(dist, file), 'utf8').replace(
          /\/\/# sourceMappingURL.*$/m,
          '',
        );
        this.emitFile({ type: 'asset', fileName: `assets/mermaid-${version}/${file}`, source });
      }
      const frame = readFileSync(new URL('diagram-frame.js', import.meta.url), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'diagram-frame.js',
        source: frame.replace('mermaid-VERSION', `mermaid-${version}`),
      });
    },
  };
}

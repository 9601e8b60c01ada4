import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite';
import { mermaidFiles } from './mermaid-files.ts';
import { plainScripts } from './plain-scripts.ts';
import { withoutJsonSchema } from './without-json-schema.ts';
import { withoutSummaries } from './without-summaries.ts';

export default defineConfig({
  plugins: [
    react(),
    importWithFiles(),
    withoutJsonSchema(),
    withoutSummaries(),
    firstLoadBudget(200),
    mermaidFiles(),
    plainScripts(),
  ],
  // ES modules, so that the worker can load the formula renderer on demand.
  worker: { format: 'es' },
  resolve: {
    // The Markdown parser has a variant for workers, which have no document.
    conditions: ['worker', ...defaultClientConditions],
    alias: [
      // Its exports always point to the development build.
      {
        find: /^react-router$/,
        replacement: fileURLToPath(
          new URL('../production/index.mjs', import.meta.resolve('react-router')),
        ),
      },
      {
        find: /^@knowhow\/shared\/(.+)$/,
        replacement: `${fileURLToPath(new URL('../shared/src/', import.meta.url))}$1.ts`,
      },
    ],
  },
  // The server replaces it with a new nonce in each response.
  html: { cspNonce: 'NONCE-OF-THIS-ANSWER' },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
  build: {
    manifest: true,
    modulePreload: {
      // Includes the script itself.
      resolveDependencies: (file, others, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...others])] : others,
    },
    // The content security policy forbids fonts and scripts from data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    // Keeps the code of the first page in one chunk, even if other pages share parts of it: several chunks compress
    // less well.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
});

/** Replaces Vite's helper for dynamic imports by our own, which gets the list of required files. */
function importWithFiles(): Plugin {
  return {
    name: 'import-with-files',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () =>
        `export { importWith as __vitePreload } from '/src/ui/loading/import-with.ts';`,
    },
  };
}

/** Fails the build when the JavaScript that opening the chat needs exceeds `maxKb` kilobytes gzipped. */
function firstLoadBudget(maxKb: number): Plugin {
  return {
    name: 'first-load-budget',
    generateBundle(_, bundle) {
      const files = firstLoad(bundle);
      const bytes = files.reduce((sum, file) => sum + gzipSync(file.code).length, 0);
      const size = (bytes / 1000).toFixed(1);
      this.info(
        `First load: ${size} kB of JavaScript gzipped (${files.length} files, limit ${maxKb})`,
      );
      if (bytes > maxKb * 1000) {
        this.error(`The first load is ${size} kB of JavaScript gzipped; the limit is ${maxKb} kB.`);
      }
    },
  };
}

/** The chunks that load without a user action, and all that they import. */
function firstLoad(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const wanted = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const chunk of wanted) {
    for (const imported of chunks.filter((other) => chunk.imports.includes(other.fileName))) {
      wanted.add(imported);
    }
  }
  return [...wanted];
}

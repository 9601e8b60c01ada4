import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite';
import { mermaidFiles } from './mermaid-files.ts';
import { plainScripts } from './plain-scripts.ts';
import { withoutJsonSchema } from './without-json-schema.ts';

export default defineConfig({
  plugins: [
    react(),
    importWithFiles(),
    withoutJsonSchema(),
    firstLoadBudget(200),
    mermaidFiles(),
    plainScripts(),
  ],
  // The worker loads what formulas take when there is one.
  worker: { format: 'es' },
  resolve: {
    // What parses Markdown has a form for workers, which have no document to ask.
    conditions: ['worker', ...defaultClientConditions],
    alias: [
      // Its exports always name the form that warns developers.
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
  // The server writes another one into each answer that holds the page.
  html: { cspNonce: 'NONCE-OF-THIS-ANSWER' },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
  build: {
    manifest: true,
    modulePreload: {
      // A script is among its own files.
      resolveDependencies: (file, others, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...others])] : others,
    },
    // The content security policy takes no fonts or scripts from data: addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    // What the first page needs stays together, however much of it the other pages share: in
    // pieces it is larger.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
});

/** Each dynamic import is made by our own function, which gets the files it needs, and not by Vite's. */
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

import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** The scripts of workers and child processes: `lib/worker-address.ts` finds them next to the bundle. */
export const workers = [
  'src/modules/skills/archives/unpack-archive-worker.ts',
  'src/platform/lib/worker-process.ts',
  'src/modules/identity/password-worker.ts',
  'src/platform/storage/long-read-worker.ts',
  'src/modules/tools/builtin/read-page-worker.ts',
  'src/modules/attachments/read-document-worker.ts',
  'src/modules/conversations/export/render-markdown-worker.ts',
  'src/modules/conversations/import/read-import-worker.ts',
];

/**
 * gray-matter parses with the engine that we pass in (see read-skill-document). Its default engine would be half of
 * the code that a worker for archives loads.
 */
const withoutJsYaml: Plugin = {
  name: 'without-js-yaml',
  enforce: 'pre',
  resolveId: (id) => (id === 'js-yaml' ? '\0js-yaml' : undefined),
  load: (id) =>
    id === '\0js-yaml'
      ? `const refuse = () => { throw new Error('js-yaml is not part of the bundle.'); };
export { refuse as safeLoad, refuse as safeDump };`
      : undefined,
};

/** Copies the files of `assets` next to the bundle: see `lib/read-asset.ts`. */
const withAssets: Plugin = {
  name: 'with-assets',
  generateBundle() {
    const fileName = 'pdf-cmaps.zip';
    const source = readFileSync(new URL(`./assets/${fileName}`, import.meta.url));
    this.emitFile({ type: 'asset', fileName, source });
  },
};

/** Whether a module is ours: none of them has side effects on import, except the entries. */
function isOurs(id: string): boolean {
  return /\/(?:server|shared|skill-format)\/src\/.*\.ts$/.test(id);
}

/**
 * Bundles the server with its packages, so that Node opens a dozen files at startup instead of eight hundred.
 * `libsql` is external because it contains a binary.
 */
export function bundle(input: string[]): UserConfig {
  return {
    ssr: { target: 'node', noExternal: true, external: ['libsql'] },
    plugins: [withoutJsYaml, withAssets],
    build: {
      ssr: true,
      outDir: 'dist',
      // All in one folder: a file that starts a worker finds it in its own folder.
      assetsDir: '',
      target: 'node20',
      sourcemap: true,
      rolldownOptions: {
        input,
        // gray-matter contains an engine that uses eval; it is never called (see read-skill-document).
        checks: { eval: false },
        // Removes our unused modules, even if an index.ts exports them.
        treeshake: { moduleSideEffects: (id) => !isOurs(id) },
        // Node keeps the source of each file in memory, with two bytes per character if one is beyond
        // Latin-1. Comments were a sixth of it.
        output: { charset: 'ascii', comments: { jsdoc: false } },
      },
    },
  };
}

export default defineConfig(bundle(['src/main.ts', 'src/cli.ts', ...workers]));

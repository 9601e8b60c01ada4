import { defineConfig } from 'vite';

/**
 * Bundles the server with its packages into a few files: Node then opens a dozen of them at a start
 * instead of eight hundred. `libsql` stays outside, since it brings a binary.
 */
export default defineConfig({
  ssr: { target: 'node', noExternal: true, external: ['libsql'] },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: ['src/main.ts', 'src/cli.ts'],
      // gray-matter brings an engine that evaluates; it is never reached (see read-skill-document).
      checks: { eval: false },
    },
  },
});

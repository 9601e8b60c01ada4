// Builds the package that is published: one bundle for programs, one for the command, types, and a package.json.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { bin, mustRun } from '../../server/bin/prepare.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const out = `${root}dist`;
const source = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const shared = JSON.parse(readFileSync(`${root}../../shared/package.json`, 'utf8'));

rmSync(out, { recursive: true, force: true });

/** Ours is bundled, including what the server shares with it; other packages are installed with it. */
const isOurs = /\/(?:shared|packages\/skill-format)\/src\/|^@knowhow\//;
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { target: 'node', noExternal: [/^@knowhow\//] },
  build: {
    ssr: true,
    outDir: out,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { index: `${root}src/public.ts`, 'skill-check': `${root}src/command/skill-check.ts` },
      treeshake: { moduleSideEffects: (id) => !isOurs.test(id) },
      output: {
        entryFileNames: '[name].js',
        banner: ({ name }) => (name === 'skill-check' ? '#!/usr/bin/env node' : ''),
      },
    },
  },
});

// The file needs no other: it exports only what it declares.
mustRun(process.execPath, [bin('typescript', 'tsc'), '-b', root]);
cpSync(`${root}dist-types/packages/skill-format/src/public.d.ts`, `${out}/index.d.ts`);

const code = readFileSync(`${out}/index.js`, 'utf8');
const packages = { ...source.dependencies, ...shared.dependencies };
const { name, version, description, license, type } = source;
const manifest = {
  ...{ name, version, description, license, type },
  keywords: ['agent-skills', 'skill.md', 'validator'],
  engines: { node: '>=20.19' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  bin: { 'skill-check': 'skill-check.js' },
  dependencies: Object.fromEntries(
    Object.entries(packages).filter(([each]) => code.includes(`from "${each}`)),
  ),
};
writeFileSync(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of ['README.md', 'examples', '../../LICENSE']) {
  cpSync(`${root}${file}`, `${out}/${file.split('/').at(-1)}`, { recursive: true });
}

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/write-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** From the top: each may import only from those below it. */
const layers = [
  'cli',
  'http',
  'admin',
  'backup',
  'chat',
  'tools',
  'skills',
  'access',
  'content',
  'models',
  'storage',
  'lib',
];
const above = (layer: string) => [
  ...layers.slice(0, layers.indexOf(layer)).map((name) => `../${name}/thing.ts`),
  '../app.ts',
  '../main.ts',
];
const below = (layer: string) =>
  layers.slice(layers.indexOf(layer) + 1).map((name) => `../${name}/thing.ts`);
const importing = (paths: string[]) => paths.map((path) => `import '${path}';\n`).join('');

const features = readdirSync(join(root, 'client/src/features'));

/** Files that each break, or keep, one rule. */
const planted: Record<string, string> = {
  ...Object.fromEntries(
    layers.flatMap((layer) => [
      [`server/src/${layer}/from-above.ts`, importing(above(layer))],
      [`server/src/${layer}/from-below.ts`, importing(below(layer))],
      [`server/src/${layer}/express.ts`, importing(['express'])],
      [`server/src/${layer}/files.ts`, importing(['node:fs/promises'])],
    ]),
  ),
  ...Object.fromEntries(
    features.map((feature) => [
      `client/src/features/${feature}/other-feature.ts`,
      importing(features.filter((other) => other !== feature).map((other) => `../${other}/x.ts`)),
    ]),
  ),
  'server/src/lib/environment.ts': 'export const home = process.env.HOME;\n',
  'server/src/env.ts': 'export const home = process.env.HOME;\n',
  'server/src/lib/any.ts': 'export const a = (b: any) => b;\n',
  'server/src/lib/non-null.ts': 'export const a = (b?: string) => b!.length;\n',
  'server/src/lib/barrel.ts': "export * from './thing.ts';\n",
  'server/src/lib/cycle-a.ts': "import { b } from './cycle-b.ts';\nexport const a = () => b;\n",
  'server/src/lib/cycle-b.ts': "import { a } from './cycle-a.ts';\nexport const b = () => a;\n",
  'server/src/lib/pipe.ts': 'export const a = (b: NodeJS.ReadStream) => b.pipe(process.stdout);\n',
  'server/src/lib/long.ts': 'export const a = [\n  1,\n];\n'.repeat(84),
};

/** Rules that the linter found broken: `path rule`. */
let found: string[];

beforeAll(async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'server/lint'), { recursive: true });
  for (const name of ['biome.json', '.gitignore', 'server/lint/no-pipe.grit']) {
    copyFileSync(join(root, name), join(folder, name));
  }
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--reporter=github',
      '--max-diagnostics=none',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  found = stdout.split('\n').map((line) => {
    const [, rule, path] = /^::error title=(?:lint\/\w+\/)?(\w+),file=([^,]+)/.exec(line) ?? [];
    return `${relative(realpathSync(folder), path ?? '')} ${rule}`;
  });
});

const timesBroken = (path: string, rule: string) =>
  found.filter((entry) => entry === `${path} ${rule}`).length;

describe.each(layers)('%s', (layer) => {
  const folder = `server/src/${layer}`;

  test('may import from below, not from above', () => {
    expect(timesBroken(`${folder}/from-above.ts`, 'noRestrictedImports')).toBe(above(layer).length);
    expect(timesBroken(`${folder}/from-below.ts`, 'noRestrictedImports')).toBe(0);
  });

  test('knows Express only if it is http, and files only if that is its task', () => {
    expect(timesBroken(`${folder}/express.ts`, 'noRestrictedImports')).toBe(
      layer === 'http' ? 0 : 1,
    );
    const pure = ['admin', 'chat', 'tools', 'access', 'models'].includes(layer);
    expect(timesBroken(`${folder}/files.ts`, 'noRestrictedImports')).toBe(pure ? 1 : 0);
  });
});

test('every folder of the server is a layer with a rule', () => {
  const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name);
  expect(folders.sort()).toEqual([...layers].sort());
});

test.each(features)('the feature %s imports no other feature', (feature) => {
  const path = `client/src/features/${feature}/other-feature.ts`;
  expect(timesBroken(path, 'noRestrictedImports')).toBe(features.length - 1);
});

test.each([
  ['server/src/lib/environment.ts', 'noProcessEnv'],
  ['server/src/lib/any.ts', 'noExplicitAny'],
  ['server/src/lib/non-null.ts', 'noNonNullAssertion'],
  ['server/src/lib/barrel.ts', 'noReExportAll'],
  ['server/src/lib/cycle-a.ts', 'noImportCycles'],
  ['server/src/lib/pipe.ts', 'plugin'],
  ['server/src/lib/long.ts', 'noExcessiveLinesPerFile'],
])('%s breaks %s', (path, rule) => {
  expect(timesBroken(path, rule)).toBeGreaterThan(0);
});

test('env.ts may read the environment', () => {
  expect(timesBroken('server/src/env.ts', 'noProcessEnv')).toBe(0);
});

test('shared knows neither Node nor the browser', async () => {
  const output = await compileIn(
    'shared',
    `import { readFile } from 'node:fs';\nexport const a = [readFile, process, document, fetch];\n`,
  );
  for (const name of ["'node:fs'", "'process'", "'document'", "'fetch'"]) {
    expect(output).toContain(name);
  }
});

test('no package may import another but shared', async () => {
  for (const name of ['shared', 'server', 'client']) {
    const { dependencies } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
    const ours = Object.keys(dependencies).filter((each) => each.startsWith('@knowhow/'));
    expect(ours).toEqual(name === 'shared' ? [] : ['@knowhow/shared']);
  }
  const path = join(root, 'server/src/lib/resolve-inside.ts');
  expect(await compileIn('client', `import '${path}';\n`)).toContain('rootDir');
});

/** What the compiler says of a file under a package's rules. */
async function compileIn(project: string, text: string): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'planted.ts'), text);
  const config = {
    extends: join(root, project, 'tsconfig.json'),
    compilerOptions: {
      rootDir: folder,
      outDir: join(folder, 'out'),
      tsBuildInfoFile: null,
      types: [],
    },
    include: ['planted.ts'],
    references: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const program = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [program, '-p', folder], { encoding: 'utf8' }).stdout;
}

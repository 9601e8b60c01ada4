import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript that runs before the compiler is installed.
import { coversLock, packagesOf } from '../bin/prepare.mjs';

const lock = (versions: Record<string, string>) =>
  JSON.stringify({
    packages: {
      '': { version: '0.1.0' },
      client: { version: '0.1.0' },
      'node_modules/@knowhow/client': { link: true },
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
      ...Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }])),
    },
  });
const installed = (versions: Record<string, string>) =>
  JSON.stringify({
    packages: {
      'node_modules/@knowhow/client': { link: true },
      ...Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }])),
    },
  });

const both = { 'node_modules/express': '5.3.0', 'client/node_modules/i18next': '25.10.10' };

test('accepts what the lock file requires', () => {
  expect(coversLock(installed(both), lock(both))).toBe(true);
});

test.each(['node_modules/express', 'client/node_modules/i18next'])(
  'installs a missing or outdated %s',
  (path) => {
    expect(coversLock(installed({ ...both, [path]: '1.0.0' }), lock(both))).toBe(false);
    const { [path as keyof typeof both]: _left, ...without } = both;
    expect(coversLock(installed(without), lock(both))).toBe(false);
  },
);

const needed = (dependencies: Record<string, string>) => ({ version: '1.0.0', dependencies });
/** The client depends on two packages, one of which has a nested version; tests need a third. */
const graph = {
  '': { devDependencies: { vitest: '4.1.12' } },
  client: { dependencies: { react: '1.0.0', '@knowhow/shared': '0.1.0' } },
  shared: { devDependencies: { zod: '4.0.0' } },
  'node_modules/@knowhow/shared': { link: true, resolved: 'shared' },
  'node_modules/react': { ...needed({ scheduler: '1' }), peerDependencies: { dom: '1' } },
  'node_modules/react/node_modules/scheduler': needed({ loose: '1' }),
  'node_modules/scheduler': { version: '2.0.0' },
  'node_modules/loose': { version: '1.0.0' },
  'node_modules/dom': {
    ...needed({}),
    peerDependencies: { typescript: '7' },
    peerDependenciesMeta: { typescript: { optional: true } },
  },
  'node_modules/typescript': { version: '7.0.2' },
  'node_modules/vitest': { version: '4.1.12' },
  'node_modules/zod': { version: '4.0.0' },
};
const without = (...paths: string[]) =>
  Object.fromEntries(Object.entries(graph).filter(([path]) => !paths.includes(path)));
const covers = (present: object, workspaces?: string[]): boolean =>
  coversLock(
    JSON.stringify({ packages: present }),
    JSON.stringify({ packages: graph }),
    workspaces,
  );

test('requires the dependencies of the workspaces, but not those of tests', () => {
  const started = without(
    'node_modules/vitest',
    'node_modules/typescript',
    'node_modules/scheduler',
  );
  expect(covers(started, ['shared', 'client'])).toBe(true);
  expect(covers(started)).toBe(false);
  expect(covers(graph)).toBe(true);
});

test.each([
  'node_modules/@knowhow/shared',
  'node_modules/react',
  'node_modules/react/node_modules/scheduler',
  'node_modules/loose',
  'node_modules/dom',
  'node_modules/zod',
])('installs a missing %s', (path) => {
  expect(covers(without(path), ['shared', 'client'])).toBe(false);
  const older = { ...graph, [path]: { version: '0.9.0' } };
  expect(covers(older, ['shared', 'client'])).toBe(false);
});

test('excludes packages that only tests and checks need', () => {
  const lockFile = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const paths: string[] = packagesOf(['shared', 'server', 'client'], packages);
  expect(paths).toEqual(expect.arrayContaining(['node_modules/vite', 'node_modules/libsql']));
  const tools = (folder: string) => Object.keys(packages[folder].devDependencies);
  const builders = ['vite', '@vitejs/plugin-react'];
  expect(builders).toEqual(expect.arrayContaining([...tools('server'), ...tools('client')]));
  // Some type packages are also dependencies of the product.
  const forTests = [...tools(''), ...tools('e2e')].filter(
    (name) => !(name.startsWith('@types/') || ['express', 'fflate'].includes(name)),
  );
  expect(paths.filter((path) => forTests.some((name) => path === `node_modules/${name}`))).toEqual(
    [],
  );
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'shared/src', 'packages', 'server/src', 'client/src', 'e2e/specs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      posix.join(folder, path),
    ),
  ),
];

test('has no dangling paths in pages and comments', () => {
  const documents = files.filter(
    (file) => /\.(?:md|tsx?|mjs|css)$/.test(file) && !/\/dist(?:-types)?\//.test(file),
  );
  const gone = documents
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => missingIn(file, readFileSync(join(root, file), 'utf8')));
  expect(gone).toEqual([]);
});

test.each([
  ['see `server/src/gone/a.ts`', 'server/src/gone/a.ts'],
  ['// as in client/src/gone.ts.', 'client/src/gone.ts'],
  ['[a guide](guides/gone.md#part)', 'docs/guides/gone.md'],
])('detects the dangling path in %s', (text, path) => {
  expect(missingIn('docs/page.md', text)).toEqual([`docs/page.md: ${path}`]);
});

function missingIn(file: string, text: string): string[] {
  const named = [...text.matchAll(/(?<![\w@./-])(?:server|client|shared)\/src\/[\w./-]+/g)].map(
    ([path]) => path.replace(/[./-]+$/, ''),
  );
  const links = file.endsWith('.md')
    ? [...text.matchAll(/\]\((?![a-z]+:|[/#])([^)#\s]+)/g)].map(([, link = '']) =>
        posix.join(posix.dirname(file), link).replace(/\/$/, ''),
      )
    : [];
  return [...named, ...links].filter((path) => !isThere(path)).map((path) => `${file}: ${path}`);
}

/** Paths may omit the extension. */
function isThere(path: string): boolean {
  return ['', '.ts', '.tsx'].some((ending) => existsSync(join(root, `${path}${ending}`)));
}

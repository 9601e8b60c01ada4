import { describe, expect, it } from 'vitest';

const sources: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The layers that a file of a layer may import from, besides its own folder. */
const allowed: Record<string, string[]> = {
  app: ['features', 'ui', 'api', 'i18n'],
  features: ['ui', 'api', 'i18n'],
  ui: ['api', 'i18n'],
  api: [],
  i18n: [],
};

describe('the layers of the client', () => {
  it('hold: a feature imports no feature, and nothing imports from above', () => {
    for (const [path, code] of Object.entries(sources)) {
      expect(violations(fromRoot(path), code), path).toEqual([]);
    }
  });

  it.each([
    ['features/turn/x.ts', '../messages/answer.tsx'],
    ['features/turn/x.ts', '../../app/shell.tsx'],
    ['ui/x.ts', '../features/turn/new-id.ts'],
    ['api/x.ts', '../ui/bolt.tsx'],
  ])('are violated by %s importing %s', (path, imported) => {
    expect(violations(path, `import { x } from '${imported}';`)).toHaveLength(1);
    expect(violations(path, `const x = import('${imported}');`)).toHaveLength(1);
  });

  it('are not violated by importing downwards', () => {
    const code = "import '../../ui/bolt.tsx'; import './y.ts'; import 'react';";
    expect(violations('features/turn/x.ts', code)).toEqual([]);
  });
});

describe('lazily loaded code', () => {
  it('is loaded by `lazyPart`, `openedLater` or `loadChunk`, which handle load errors', () => {
    const isProduct = ([path]: [string, string]) => !/\.test\.|\/testing\//.test(path);
    for (const [path, code] of Object.entries(sources).filter(isProduct)) {
      expect(loadedOtherwise(fromRoot(path), code), path).toEqual([]);
    }
  });

  it.each(["import { lazy, Suspense } from 'react';", "void import('fuse.js').then(use);"])(
    'is found where it is loaded otherwise: %s',
    (code) => {
      expect(loadedOtherwise('app/x.tsx', code)).toHaveLength(1);
    },
  );
});

/** Finds code that is loaded lazily by React's own `lazy`, or without error handling. */
function loadedOtherwise(path: string, code: string): string[] {
  const lazies =
    path === 'ui/loading/lazy-part.tsx' ? [] : (code.match(/import \{[^}]*\blazy\b[^}]*\}/g) ?? []);
  const bare = [...code.matchAll(/(?<!typeof )\bimport\('/g)]
    .map(({ index }) => code.slice(Math.max(0, index - 80), index + 30))
    .filter((around) => !/lazyPart\(|openedLater[<(]|loadChunk\(|const load = /.test(around));
  return [...lazies, ...bare];
}

/** Imports from a folder that the layer may not import. */
function violations(path: string, code: string): string[] {
  const own = folderOf(path);
  const layer = own.split('/')[0] ?? '';
  const tools = path.includes('.test.') ? ['testing', 'app', 'features'] : [];
  const grounds = [...(allowed[layer] ?? Object.keys(allowed)), ...tools, 'locales'];
  const imports = [...code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  return imports
    .map(([, target = '']) => folderOf(new URL(target, `file:///${path}`).pathname.slice(1)))
    .filter((folder) => folder !== own && !grounds.includes(folder.split('/')[0] ?? ''));
}

/** The layer; for a feature with its name. */
function folderOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'features' ? 2 : 1).join('/');
}

/** Vite names a file in this folder `./x.ts`, and any other `../layer/x.ts`. */
function fromRoot(path: string): string {
  return new URL(path, 'file:///app/layers.test.ts').pathname.slice(1);
}

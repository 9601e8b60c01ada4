// @vitest-environment node
import { describe, expect, it } from 'vitest';

const sources: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What a file of a layer may import from, besides its own folder. */
const allowed: Record<string, string[]> = {
  app: ['features', 'ui', 'api', 'i18n'],
  features: ['ui', 'api', 'i18n'],
  ui: ['api', 'i18n'],
  api: [],
  i18n: [],
};

describe('the layers of the client', () => {
  it('are kept: a feature imports no feature, and nothing imports from above', () => {
    for (const [path, code] of Object.entries(sources)) {
      expect(violations(fromRoot(path), code), path).toEqual([]);
    }
  });

  it.each([
    ['features/turn/x.ts', '../messages/answer.tsx'],
    ['features/turn/x.ts', '../../app/shell.tsx'],
    ['ui/x.ts', '../features/turn/new-id.ts'],
    ['api/x.ts', '../ui/bolt.tsx'],
  ])('are broken by %s importing %s', (path, imported) => {
    expect(violations(path, `import { x } from '${imported}';`)).toHaveLength(1);
    expect(violations(path, `const x = import('${imported}');`)).toHaveLength(1);
  });

  it('are not broken by importing downwards', () => {
    const code = "import '../../ui/bolt.tsx'; import './y.ts'; import 'react';";
    expect(violations('features/turn/x.ts', code)).toEqual([]);
  });
});

/** Imports that leave the folder for a folder its layer may not import. */
function violations(path: string, code: string): string[] {
  const own = folderOf(path);
  const layer = own.split('/')[0] ?? '';
  const tools = path.includes('.test.') ? ['testing', 'app', 'features'] : [];
  const grounds = [...(allowed[layer] ?? Object.keys(allowed)), ...tools];
  const imports = [...code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  return imports
    .map(([, target = '']) => folderOf(new URL(target, `file:///${path}`).pathname.slice(1)))
    .filter((folder) => folder !== own && !grounds.includes(folder.split('/')[0] ?? ''));
}

/** The layer, and for a feature its name with it. */
function folderOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'features' ? 2 : 1).join('/');
}

/** Vite names a file in this folder `./x.ts`, and any other `../layer/x.ts`. */
function fromRoot(path: string): string {
  return new URL(path, 'file:///app/layers.test.ts').pathname.slice(1);
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Static imports of a file, without types and dynamic imports. */
function loadedBy(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)';/gm);
  return [...statements].map(([, imported = '']) => imported);
}

/** All modules loaded transitively with a file, each with its importer. */
function loadedWith(start: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    for (const imported of loadedBy(path)) {
      const isOurs = imported.startsWith('.');
      const target = isOurs ? join(dirname(path), imported) : imported;
      if (!found.has(target)) {
        found.set(target, path);
        if (isOurs) {
          visit(target);
        }
      }
    }
  };
  visit(start);
  return found;
}

test('starts the server without loading the MCP library', () => {
  const found = loadedWith('main.ts');
  expect(found.has('modules/tools/mcp/mcp-host.ts')).toBe(true);
  expect([...found].filter(([name]) => name.startsWith('@modelcontextprotocol'))).toEqual([]);
});

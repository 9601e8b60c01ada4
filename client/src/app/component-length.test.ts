import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const sources: Record<string, string> = import.meta.glob(['../**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Lines of a function without blank ones. */
const most = 80;

/** Biome has such a rule, but it does not count line breaks between JSX elements. */
describe('the length of components', () => {
  it('stays within the limit', () => {
    const long = Object.entries(sources).flatMap(([path, code]) =>
      longFunctions(code).map((name) => `${path}: ${name}`),
    );
    expect(long).toEqual([]);
  });

  it.each([
    ['function Long() {', '}'],
    ['export const Long = () => {', '};'],
    ['export const Long = memo(function Long() {', '});'],
  ])('is counted including JSX in `%s`', (begin, end) => {
    const component = (rows: number) =>
      [begin, '  return (', '<ul>', ...Array(rows).fill('<li />\n'), '</ul>', '  );', end].join(
        '\n',
      );
    expect(longFunctions(component(most - 6))).toEqual([]);
    expect(longFunctions(component(most - 5))).toHaveLength(1);
  });
});

/** The first line of each function that is too long. */
function longFunctions(code: string): string[] {
  const found: string[] = [];
  JSON.stringify(parseSync('x.tsx', code, { lang: 'tsx' }).program, (_, node: unknown) => {
    if (isFunction(node)) {
      const lines = code
        .slice(node.start, node.end)
        .split('\n')
        .filter((line) => line.trim());
      found.push(...(lines.length > most ? lines.slice(0, 1) : []));
    }
    return typeof node === 'bigint' ? undefined : node;
  });
  return found;
}

function isFunction(node: unknown): node is { start: number; end: number } {
  const kinds = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
  return (
    typeof node === 'object' && node !== null && 'type' in node && kinds.includes(`${node.type}`)
  );
}

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Removes zod's JSON Schema generator from the client: only the server uses it, but zod's schemas import it. Its
 * exports become functions that return undefined.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    load: {
      filter: { id: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
      handler(id) {
        const source = readFileSync(id, 'utf8');
        const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(
          ([, name]) => name,
        );
        return [
          'const nothing = () => undefined;',
          `export { ${[...names, 'process'].map((name) => `nothing as ${name}`).join(', ')} };`,
        ].join('\n');
      },
    },
  };
}

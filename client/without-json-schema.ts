import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Leaves out of the client what makes JSON Schemas of zod's schemas, which only the server does: zod's classic
 * schemas bring it along. What is exported stays, as functions that give nothing.
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

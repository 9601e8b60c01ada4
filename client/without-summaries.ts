import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Empties the summaries of endpoints in the client: only the server's API documentation shows them. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    apply: 'build',
    load: {
      filter: { id: /\/shared\/src\/.+\.ts$/ },
      handler(id) {
        const source = readFileSync(id, 'utf8');
        return { code: source.replace(summaries, "$1''"), moduleType: 'ts' };
      },
    },
  };
}

const summaries = /^(\s+summary:\s+)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=,$)/gm;

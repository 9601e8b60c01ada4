import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

// Vitest setup file: fails tests that call `console.warn` or `console.error`, or cause Node
// warnings. Tests that expect a warning mock it with `vi.spyOn`.

interface Warned {
  knowhowWarnings?: string[];
}

/** Shared by the whole worker, whose test files load this module repeatedly. */
const worker = process as Warned;

if (!worker.knowhowWarnings) {
  const warnings: string[] = [];
  worker.knowhowWarnings = warnings;
  process.on('warning', ({ stack, message }) => void warnings.push(stack ?? message));
}
const warnings = worker.knowhowWarnings ?? [];
for (const level of ['warn', 'error'] as const) {
  console[level] = (...texts) => void warnings.push(`console.${level}: ${format(...texts)}`);
}

function refuse(): void {
  const all = warnings.splice(0);
  if (all.length > 0) {
    throw new Error(`Unexpected warnings:\n${all.join('\n')}`);
  }
}

afterEach(refuse);
afterAll(refuse);

import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

// For Vitest, before each file: what a test writes with `console.warn` or `console.error`, and what
// Node warns of, fails it. A test that expects a warning takes it away with `vi.spyOn`.

interface Warned {
  knowhowWarnings?: string[];
}

/** Of the whole worker, whose files load this one again and again. */
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
    throw new Error(`Nobody expected these warnings:\n${all.join('\n')}`);
  }
}

afterEach(refuse);
afterAll(refuse);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectDirectory } from './project.ts';

test('what kills a process is called crash or soak, and is left to npm test', () => {
  const folder = join(projectDirectory, 'server/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.(?:crash|soak))\.test\.ts$/.test(path),
  );
  expect(files).toContain('app.test.ts');
  const kills = /\.process\.kill\(|'SIG(?:KILL|TERM|INT)'/;
  expect(files.filter((path) => kills.test(readFileSync(join(folder, path), 'utf8')))).toEqual([]);
});

// Each fails because of `testing/refuse-warnings`, after its own end.
test.fails('a test fails that writes a warning', () => {
  // biome-ignore lint/suspicious/noConsole: it is what has to be noticed
  console.warn('planted');
});

test.fails('a test fails in which Node warns of something', async () => {
  process.emitWarning('planted');
  await yieldToEventLoop();
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectDirectory } from './project.ts';
import { runChild } from './testing/run-child.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

test('names tests that kill processes crash or soak, which only npm run test:thorough runs', () => {
  const folder = join(projectDirectory, 'server/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /(?<!\.(?:crash|soak))\.test\.ts$/.test(path) &&
      !path.startsWith('platform/cluster/postgres/'),
  );
  expect(files).toContain('app.test.ts');
  const kills = /\.process\.kill\(|'SIG(?:KILL|TERM|INT)'/;
  expect(files.filter((path) => kills.test(readFileSync(join(folder, path), 'utf8')))).toEqual([]);
});

test('excludes slow files of server and client from npm run check', async () => {
  const list = ['list', '--filesOnly', '--project=server', '--project=client'];
  const run = runChild(join(projectDirectory, 'node_modules/vitest/vitest.mjs'), {
    args: [...list, `--root=${projectDirectory}`],
    env: { QUICK: '1' },
  });
  expect(await run.ended, run.output).toBe(0);
  expect(run.output).toContain('admin/tests/admin-skill-facets.test.ts');
  expect(run.output).toContain('ui/confirm-dialog.test.tsx');
  expect(run.output).not.toMatch(/turn-ends|installation-commands|prompt-item|skill-list\.test/);
});

test('lists only existing slow files', () => {
  const slow: string[] = JSON.parse(
    readFileSync(join(projectDirectory, 'slow-tests.json'), 'utf8'),
  );
  expect(slow.filter((path) => !existsSync(join(projectDirectory, path)))).toEqual([]);
});

// Each fails because of `testing/refuse-warnings`, after its own end.
test.fails('fails a test that writes a warning', () => {
  // biome-ignore lint/suspicious/noConsole: must be detected
  console.warn('planted');
});

test.fails('fails a test with a Node warning', async () => {
  process.emitWarning('planted');
  await yieldToEventLoop();
});

test('records failed, flaky and broken tests, except those that are expected to fail', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    'tries.test.ts': `
      let tries = 0;
      test('needs two', () => expect(++tries).toBe(2));
      test('needs one', () => expect(1).toBe(1));
      test('never passes', () => expect(1).toBe(2));
      test.fails('is to fail', () => expect(1).toBe(2));`,
    'rejects.test.ts': `
      test('leaves a rejection', () => void Promise.reject(new Error('unhandled')));`,
    'flaky.test.ts': `
      let tries = 0;
      test('leaves a rejection at its first try', async () => {
        tries += 1;
        if (tries === 1) {
          Promise.reject(new Error('left behind'));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        expect(tries).toBe(2);
      });`,
    'broken.test.ts': `throw new Error('no import');`,
  });
  const reporter = join(projectDirectory, 'server/bin/record-tests.mjs');
  const file = join(folder, 'record.json');
  const run = runChild(join(projectDirectory, 'node_modules/vitest/vitest.mjs'), {
    args: ['run', '--globals', '--retry=1', `--root=${folder}`, `--reporter=${reporter}`],
    env: { TEST_RECORD: file },
  });
  expect(await run.ended, run.output).toBe(1);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    passed: 5,
    flaky: expect.arrayContaining(['tries.test.ts > needs two']),
    isOnlyFlaky: true,
    failed: [
      { name: 'Outside of tests', output: expect.stringMatching(/unhandled.*rejects\.test\.ts/s) },
      { name: 'broken.test.ts', output: expect.stringContaining('no import') },
      { name: 'tries.test.ts > never passes', output: expect.stringContaining('expected 1') },
    ],
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { bundledScript } from '../../testing/bundled-script.ts';
import { runChild } from '../../testing/run-child.ts';
import { temporaryFolder, writeFiles } from '../../testing/write-files.ts';
import { FolderInUse, lockFolder } from './lock-folder.ts';

let holder: string;
let folder: string;

beforeAll(async () => {
  holder = await bundledScript('hold-folder');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function hold() {
  const child = runChild(holder, { args: [folder] });
  await child.says('taken');
  return child;
}

test('names the process that holds the folder in one line', async () => {
  const other = await hold();
  expect(() => lockFolder(folder)).toThrow(
    new RegExp(`^The data folder ${folder} .* ${other.process.pid} on .+$`),
  );
});

test('releases the lock of a killed process', async () => {
  const killed = await hold();
  killed.process.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(join(folder, 'server.pid'))).toBe(true);
  await hold();
});

test('gives the folder to one of five processes that start at once after a crash', async () => {
  const crashed = await hold();
  const rivals = Array.from({ length: 5 }, () => runChild(holder, { args: [folder] }));
  crashed.process.kill('SIGKILL');
  const outcomes = await Promise.race([
    Promise.all(rivals.map(({ ended }) => ended)),
    ...rivals.map((each) =>
      each.says('taken').then(
        () => 'taken',
        () => new Promise(() => {}),
      ),
    ),
  ]);
  expect(outcomes).toBe('taken');
  const winner = rivals.find(({ output }) => output.includes('taken'));
  const losers = rivals.filter((each) => each !== winner);
  expect(await Promise.all(losers.map(({ ended }) => ended))).toEqual(losers.map(() => 1));
});

test('locks a released folder again, even in the same process', () => {
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderInUse);
  lock.release();
  lockFolder(folder).release();
  expect(existsSync(join(folder, 'server.pid'))).toBe(false);
});

test('names a folder that cannot be created, with the reason', async () => {
  await writeFiles(folder, { file: 'in the way' });
  expect(() => lockFolder(join(folder, 'file/data'))).toThrow(
    /file\/data \(DATA_DIR\) cannot be written: .+ is a file/,
  );
});

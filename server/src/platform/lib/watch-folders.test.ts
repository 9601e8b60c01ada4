import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitFor } from '../../testing/wait-for.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { createLog } from './log.ts';
import { watchFolders } from './watch-folders.ts';

test('logs a path that cannot be watched, without a stack', async () => {
  const folder = await temporaryFolder();
  const loop = join(folder, 'loop.json');
  await symlink(loop, loop);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const watch = watchFolders([loop], async () => {}, { log });
  await waitFor(() => lines.length > 0);
  await watch.close();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      path: loop,
      code: 'ELOOP',
      msg: `${loop} cannot be watched (ELOOP).`,
    }),
  ]);
  expect(lines.join()).not.toContain('stack');
});

test('notices a folder that disappears while being read and returns before the next check', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const parent = await temporaryFolder();
  const [here, elsewhere] = [join(parent, 'here'), join(parent, 'elsewhere')];
  await mkdir(join(here, 'folder'), { recursive: true });
  await writeFile(join(here, 'folder/a.json'), '{}');
  const read: boolean[] = [];
  const log = createLog('silent', { write: () => {} });
  const readFolders = async () => {
    if (read.length === 0) {
      await rename(here, elsewhere);
    }
    read.push(existsSync(here));
  };
  const watch = watchFolders([join(here, 'folder')], readFolders, { log, quietMs: 10 });
  onTestFinished(() => watch.close());
  // The watcher gets no event for a moved parent, and the polling is paused.
  await waitFor(() => read.length === 2);
  await rename(elsewhere, here);
  await vi.advanceTimersToNextTimerAsync();
  await waitFor(() => read.at(-1));
});

test('does not log an unreadable file, since its reader does', async () => {
  const folder = await temporaryFolder();
  await symlink('loop.json', join(folder, 'loop.json'));
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  let times = 0;
  const watch = watchFolders(
    [folder],
    async () => {
      times += 1;
    },
    { log, quietMs: 10 },
  );
  onTestFinished(() => watch.close());
  await waitFor(() => times > 0);
  expect(lines).toEqual([]);
});

/** Watches a folder with one file; returns its path and a counter of reads. */
async function watchOne(onRead: (path: string) => Promise<unknown> = async () => undefined) {
  const path = join(await temporaryFolder(), 'a.json');
  await writeFile(path, '1');
  await utimes(path, 1000, 1000);
  const count = { reads: 0 };
  const log = createLog('silent', { write: () => {} });
  const readFolder = async () => {
    count.reads += 1;
    await onRead(path);
  };
  const watch = watchFolders([dirname(path)], readFolder, { log, quietMs: 10 });
  onTestFinished(() => watch.close());
  return { path, count };
}

test('notices a change during reading that keeps time and size', async () => {
  const read: string[] = [];
  await watchOne(async (path) => {
    read.push(readFileSync(path, 'utf8'));
    if (read.length === 1) {
      writeFileSync(path, '2');
      // Touched later than changed: the watcher sees no difference.
      utimesSync(path, 2000, 1000);
    }
  });
  await waitFor(() => read.at(-1) === '2');
});

test('reads a recent change again once timestamps are unambiguous', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { path, count } = await watchOne();
  await waitFor(() => count.reads > 0);
  await writeFile(path, '2');
  const { mtimeMs } = await stat(path);
  vi.setSystemTime(mtimeMs + 10);
  const reads = count.reads;
  await waitFor(() => count.reads > reads);
  const before = count.reads;
  await vi.advanceTimersByTimeAsync(3000);
  await waitFor(() => count.reads > before);
});

test('does not look into folders below, such as a link to a large one', async () => {
  // Pauses the polling.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const elsewhere = await temporaryFolder();
  await mkdir(join(elsewhere, 'below'));
  const { path, count } = await watchOne();
  await symlink(elsewhere, join(dirname(path), 'link'));
  await wait(500);
  const before = count.reads;
  await writeFile(join(elsewhere, 'below', 'b.json'), '1');
  await wait(500);
  expect(count.reads).toBe(before);
  await writeFile(path, '2');
  await waitFor(() => count.reads > before);
});

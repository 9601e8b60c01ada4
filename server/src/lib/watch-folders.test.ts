import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitFor } from '../testing/wait-for.ts';
import { temporaryFolder } from '../testing/write-files.ts';
import { createLog } from './log.ts';
import { watchFolders } from './watch-folders.ts';

test('what cannot be watched is a line of the log that names it, without a stack', async () => {
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

test('what goes while the folders are read is not lost, should it be back before they are compared', async () => {
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
  // Of a parent that moves the watcher hears nothing, and the comparing stands still.
  await waitFor(() => read.length === 2);
  await rename(elsewhere, here);
  await vi.advanceTimersToNextTimerAsync();
  await waitFor(() => read.at(-1));
});

test('a file that cannot be read is no line of the log: who reads it says so', async () => {
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

/** Watches a folder with one file; gives its path, and how often the folder was read. */
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

test('what changes while it is read, and keeps its time and size, is not lost', async () => {
  const read: string[] = [];
  await watchOne(async (path) => {
    read.push(readFileSync(path, 'utf8'));
    if (read.length === 1) {
      writeFileSync(path, '2');
      // Read later than it was changed: that is no news to the watcher.
      utimesSync(path, 2000, 1000);
    }
  });
  await waitFor(() => read.at(-1) === '2');
});

test('what has just changed is read again when nothing can look the same any more', async () => {
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

import { existsSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const [place, elsewhere] = [join(parent, 'place'), join(parent, 'elsewhere')];
  await mkdir(join(place, 'folder'), { recursive: true });
  await writeFile(join(place, 'folder/a.json'), '{}');
  const read: boolean[] = [];
  const log = createLog('silent', { write: () => {} });
  const readFolders = async () => {
    if (read.length === 0) {
      await rename(place, elsewhere);
    }
    read.push(existsSync(place));
  };
  const watch = watchFolders([join(place, 'folder')], readFolders, { log, quietMs: 10 });
  onTestFinished(() => watch.close());
  // Of a parent that moves the watcher hears nothing, and the comparing stands still.
  await waitFor(() => read.length === 2);
  await rename(elsewhere, place);
  await vi.advanceTimersToNextTimerAsync();
  await waitFor(() => read.at(-1));
});

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  const watch = watchFolders([loop], () => undefined, { log });
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

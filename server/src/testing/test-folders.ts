import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** Parent of the folders of one test run. */
export function testFolders(runner: number): string {
  return join(isRoomy(memory) ? memory : tmpdir(), `knowhow-test-${runner}`);
}

/** A folder on a different file system than the test folders, if available. */
export function otherDisk(): string {
  return existsSync(memory) && !isRoomy(memory) ? memory : tmpdir();
}

/** Whether it has space for a whole run. In memory, database writes need no disk sync. */
function isRoomy(folder: string): boolean {
  const { bsize, blocks } = existsSync(folder) ? statfsSync(folder) : { bsize: 0, blocks: 0 };
  return bsize * blocks > 2e9;
}

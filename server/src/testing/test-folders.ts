import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** Where the tests of one run have their folders. */
export function testFolders(runner: number): string {
  return join(isRoomy(memory) ? memory : tmpdir(), `knowhow-test-${runner}`);
}

/** A folder on another disk than those of the tests, where there is one. */
export function otherDisk(): string {
  return existsSync(memory) && !isRoomy(memory) ? memory : tmpdir();
}

/** Whether it holds all that a run leaves. A database waits for a disk at every write, and for memory never. */
function isRoomy(folder: string): boolean {
  const { bsize, blocks } = existsSync(folder) ? statfsSync(folder) : { bsize: 0, blocks: 0 };
  return bsize * blocks > 2e9;
}

import { rmSync } from 'node:fs';
import { testFolders } from './test-folders.ts';

/** For Vitest, in the process that its workers come from: runs when all tests are over. */
export function teardown(): void {
  rmSync(testFolders(process.pid), { recursive: true, force: true });
}

import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the tests of one run have their folders. */
export function testFolders(runner: number): string {
  return join(tmpdir(), `knowhow-test-${runner}`);
}

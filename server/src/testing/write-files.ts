import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by path: text, bytes, or a value to be written as JSON. */
export type Files = Record<string, unknown>;

/** Holds all folders of this process's tests, and goes with it. */
const root = mkdtempSync(join(tmpdir(), 'knowhow-test-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

/** A new folder of the test's own. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(root, 'folder-'));
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    const plain = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(target, plain ? content : JSON.stringify(content, null, 2));
  }
}

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolders } from './test-folders.ts';

/** Files by path: text, bytes, or a value to be written as JSON. */
export type Files = Record<string, unknown>;

/** A temporary folder, deleted after all tests. */
export async function temporaryFolder(): Promise<string> {
  const parent = testFolders(process.ppid);
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'folder-'));
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    const plain = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(target, plain ? content : JSON.stringify(content, null, 2));
  }
}

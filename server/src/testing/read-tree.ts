import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** All files below a folder by path, with content; empty folders end in a slash. */
export async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) {
      tree[relative(folder, path)] = await readFile(path, 'latin1');
    } else if ((await readdir(path)).length === 0) {
      tree[`${relative(folder, path)}/`] = '';
    }
  }
  return tree;
}

import { readdir } from 'node:fs/promises';

/** Names of the configuration files in a folder, sorted; empty if it does not exist. */
export async function listJsonFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.json') && name[0] !== '.').sort();
  } catch {
    return [];
  }
}

import { readdir } from 'node:fs/promises';

/** The names of the configuration files in a folder, in order; none when it does not exist. */
export async function jsonFilesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.json') && name[0] !== '.').sort();
  } catch {
    return [];
  }
}

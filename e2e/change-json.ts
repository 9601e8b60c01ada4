import { readFile, writeFile } from 'node:fs/promises';

/** Overwrites fields in a JSON configuration file. */
export async function changeJson(file: string, fields: object): Promise<void> {
  const before: object = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...before, ...fields }));
}

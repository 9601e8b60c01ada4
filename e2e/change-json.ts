import { readFile, writeFile } from 'node:fs/promises';

/** Puts fields into a file of the configuration, in place of those that were there. */
export async function changeJson(file: string, fields: object): Promise<void> {
  const before: object = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...before, ...fields }));
}

import { readFile } from 'node:fs/promises';

/** Reads a file of `server/assets`, which the build puts next to the bundle. For what is bundled, as workers always are. */
export function readAsset(name: string): Promise<Buffer> {
  return readFile(new URL(`./${name}`, import.meta.url));
}

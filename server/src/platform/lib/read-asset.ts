import { readFile } from 'node:fs/promises';

/**
 * Reads a file of `server/assets`, which the build puts next to the bundle. Only for bundled code,
 * such as workers.
 */
export function readAsset(name: string): Promise<Buffer> {
  return readFile(new URL(`./${name}`, import.meta.url));
}

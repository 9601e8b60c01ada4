import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PackedFile } from '@knowhow/skill-format';
import AdmZip from 'adm-zip';

/**
 * The files of a zip created by `writeArchive`: all in one folder, and trusted. Yields to the event
 * loop between files. Throws if it is damaged.
 */
export async function readOwnZip(zip: Buffer): Promise<PackedFile[]> {
  const files: PackedFile[] = [];
  for (const entry of new AdmZip(zip).getEntries()) {
    files.push(await fileOf(entry));
    await yieldToEventLoop();
  }
  return files;
}

function fileOf(entry: AdmZip.IZipEntry): Promise<PackedFile> {
  return new Promise((resolve, reject) => {
    entry.getDataAsync((bytes, error) => {
      if (error) {
        reject(new Error(`A zip of ours is broken: ${error}`));
        return;
      }
      const path = entry.entryName.slice(entry.entryName.indexOf('/') + 1);
      resolve({ path, bytes, executable: ((entry.attr >>> 16) & 0o111) !== 0 });
    });
  });
}

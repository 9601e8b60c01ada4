import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, syncFolder } from '../../platform/lib/durable-fs.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';

/**
 * Writes a backup file readable only by its owner, atomically and synced to disk. Replaces a file of the same name.
 * Returns its size in bytes.
 */
export async function writeBackupFile(path: string, archive: Readable): Promise<number> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  // An error before reading starts is reported when reading.
  archive.on('error', () => undefined);
  try {
    await makeFolder(dirname(path));
    const size = await writeStream(temporary, archive);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    archive.destroy();
    await rm(temporary, { force: true }).catch(() => undefined);
    throw toWriteProblem(error, path);
  }
}

async function writeStream(path: string, archive: Readable): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

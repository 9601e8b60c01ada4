import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import type { PackedFile } from '@knowhow/skill-format';
import { syncFolder, writeNewFile } from '../../../platform/lib/durable-fs.ts';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { runConcurrently } from '../../../platform/lib/run-concurrently.ts';

const maxOpenFiles = 8;

/** Writes files durably into a new folder. Their paths must have been checked. */
export async function writeFolder(folder: string, files: readonly PackedFile[]): Promise<void> {
  const folders = new Set([folder]);
  for (const { path } of files) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      folders.add(join(folder, above));
    }
  }
  for (const path of folders) {
    await mkdir(path, { recursive: true });
  }
  await runConcurrently(files, maxOpenFiles, (file) => writeOne(folder, file));
  for (const path of folders) {
    await syncFolder(path);
  }
}

async function writeOne(folder: string, { path, bytes, executable }: PackedFile): Promise<void> {
  try {
    await writeNewFile(join(folder, path), bytes, executable ? 0o755 : 0o644);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw problem('invalid-request', `"${path}" is there twice, or is a folder too. Rename one.`);
    }
    throw error;
  }
}

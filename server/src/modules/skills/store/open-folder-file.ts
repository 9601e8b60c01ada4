import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';
import type { HeldFile, OpenSkillFile } from './skill-source.ts';
import { ignoreMissing } from './walk-folder.ts';

/** Undefined if there is no such file inside the folder. */
export async function openFolderFile(
  directory: string,
  path: string,
): Promise<OpenSkillFile | undefined> {
  const target = await resolveInside(directory, path);
  const found = target === undefined ? undefined : await ignoreMissing(stat(target));
  if (target === undefined || !found?.isFile()) {
    return undefined;
  }
  return {
    size: found.size,
    read: async (start, length) => {
      const chunks: Buffer[] = [];
      if (length > 0) {
        for await (const chunk of createReadStream(target, { start, end: start + length - 1 })) {
          chunks.push(chunk as Buffer);
        }
      }
      return Buffer.concat(chunks);
    },
    hold: async () => hold(await open(target)),
  };
}

async function hold(handle: FileHandle): Promise<HeldFile> {
  try {
    const { size } = await handle.stat();
    return {
      size,
      head: async (length) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      },
      stream: () => handle.createReadStream({ start: 0, end: size - 1, autoClose: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

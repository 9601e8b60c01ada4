import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import type { SkillFile } from '@knowhow/shared/skills';
import { resolveInside } from '../lib/resolve-inside.ts';
import { skippedFolders } from '../skill-format/skill-format.ts';
import { unlessGone } from './walk-folder.ts';

/** One file of a skill, opened. */
export interface OpenSkillFile {
  /** Size in bytes. */
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  /** Holds the file as it is now, whatever happens to its path. Whoever asks closes it. */
  hold(): Promise<FileHandle>;
}

const maxDepth = 6;
const maxFiles = 1000;

/** Every file of a skill's folder but `SKILL.md`, by path; links only where they stay inside. */
export async function listSkillFiles(directory: string): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  await collect(await realpath(directory), '', files);
  return files;
}

async function collect(root: string, folder: string, files: SkillFile[]): Promise<void> {
  const reading = readdir(folder === '' ? root : `${root}/${folder}`);
  // A folder within may go meanwhile; when it is the skill's own, there is no such skill.
  const entries = folder === '' ? await reading : ((await unlessGone(reading)) ?? []);
  for (const name of entries.sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (files.length >= maxFiles || skippedFolders.has(name)) {
      continue;
    }
    const target = await resolveInside(root, path);
    const found = target === undefined ? undefined : await unlessGone(stat(target));
    if (found?.isDirectory() && path.split('/').length <= maxDepth) {
      await collect(root, path, files);
    } else if (found?.isFile() && path !== 'SKILL.md') {
      files.push({ path, size: found.size });
    }
  }
}

/** Undefined when there is no such file inside the skill's folder. */
export async function openSkillFile(
  directory: string,
  path: string,
): Promise<OpenSkillFile | undefined> {
  const target = await resolveInside(directory, path);
  const found = target === undefined ? undefined : await unlessGone(stat(target));
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
    hold: () => open(target),
  };
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { whySkipped } from '@knowhow/shared/skills/clutter-names';
import type { SkillFile } from '../public.ts';

/** A skill's folder on the disk. */
export interface SkillFolder {
  /** The path as it was found, for messages. */
  path: string;
  /** The name of the folder. */
  name: string;
}

/** A path cannot be checked. */
export class UnreadablePath extends Error {}

const maxDepth = 12;
const maxFiles = 2000;
const maxFileBytes = 8 * 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;

/**
 * The folders with a `SKILL.md` at a path: its own, those of all folders below, or that of the file. Does not
 * follow links, and skips folders such as `.git` and `node_modules`.
 *
 * @throws UnreadablePath if there are none
 */
export async function findSkills(path: string): Promise<SkillFolder[]> {
  const start = await stat(path).catch(() => undefined);
  if (start?.isFile() && isSkillFile(basename(path))) {
    return [toFolder(dirname(path))];
  }
  const found = start?.isDirectory() ? await findBelow(path, maxDepth) : [];
  if (found.length === 0) {
    throw new UnreadablePath(
      start ? `${path}: there is no SKILL.md.` : `${path}: there is no such file or folder.`,
    );
  }
  return found;
}

async function findBelow(path: string, depth: number): Promise<SkillFolder[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const own = entries.some((entry) => entry.isFile() && isSkillFile(entry.name))
    ? [toFolder(path)]
    : [];
  const below = entries
    .filter((entry) => depth > 0 && entry.isDirectory() && whySkipped(entry.name) === undefined)
    .map(({ name }) => name)
    .sort();
  const found = [];
  for (const name of below) {
    found.push(...(await findBelow(join(path, name), depth - 1)));
  }
  return [...own, ...found];
}

function toFolder(path: string): SkillFolder {
  return { path, name: basename(resolve(path)) };
}

function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

/**
 * Reads all files of a skill, without those of skills in folders below.
 *
 * @throws UnreadablePath if it has too many files, or too large ones
 */
export async function readSkill({ path }: SkillFolder): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  let bytes = 0;
  const read = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(path, folder), { withFileTypes: true });
    if (folder !== '' && entries.some((entry) => isSkillFile(entry.name))) {
      return;
    }
    for (const entry of entries.filter(({ name }) => whySkipped(name) === undefined)) {
      const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth > 0) {
        await read(inside, depth - 1);
      } else if (entry.isFile()) {
        const { size, mode } = await stat(join(path, inside));
        bytes += size;
        if (size > maxFileBytes || bytes > maxBytes || files.length >= maxFiles) {
          throw new UnreadablePath(
            `${path}: more than ${maxFiles} files, 64 MiB together, or 8 MiB in ${inside}.`,
          );
        }
        const executable = (mode & 0o111) !== 0;
        files.push({ path: inside, bytes: await readFile(join(path, inside)), executable });
      }
    }
  };
  await read('', maxDepth);
  return files;
}

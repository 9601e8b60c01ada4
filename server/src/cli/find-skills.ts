import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  describeLeftOut,
  type FoundSkill,
  findSkillFiles,
  readSkillAt,
  type SkillFilePath,
  scanFolder,
  skillFileAt,
} from '../modules/skills/index.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** A skill and the path of its `SKILL.md`. */
export interface ReadSkill {
  path: string;
  found: FoundSkill;
}

/**
 * All folders with a `SKILL.md` in a tree, including nested skills and ignored folders.
 *
 * @throws UsageError if there are none
 */
export async function findAllSkills(path: string): Promise<SkillFilePath[]> {
  const start = resolve(path);
  if (!(await isFolder(path, start))) {
    return [await skillFile(path, start)];
  }
  const found = await findSkillFiles(start);
  if (found.length === 0) {
    throw nothingIn(path);
  }
  return found;
}

const archiveName = /\.(?:zip|skill|tgz|tar\.gz|json)$/i;

/** Whether the path is a file with the extension of a skill archive. */
export async function isArchive(path: string): Promise<boolean> {
  const state = archiveName.test(path) ? await stat(path).catch(() => undefined) : undefined;
  return state?.isFile() ?? false;
}

/**
 * Reads skills like a server: from a folder of skills, a skill's folder, or its `SKILL.md`.
 * Exceeded limits are reported on the terminal.
 *
 * @throws UsageError if there is nothing to read
 */
export async function readSkills(
  paths: readonly string[],
  terminal: Terminal,
): Promise<ReadSkill[]> {
  const read: ReadSkill[] = [];
  for (const path of paths) {
    const start = resolve(path);
    if (await isFolder(path, start)) {
      read.push(...(await readFolder(path, terminal)));
    } else {
      const file = await skillFile(path, start);
      read.push({ path: file.path, found: await readSkillAt(file) });
    }
  }
  return read;
}

async function readFolder(path: string, terminal: Terminal): Promise<ReadSkill[]> {
  const limits = terminal.skillLimits();
  const { skills, leftOut } = await scanFolder(resolve(path), limits);
  for (const line of describeLeftOut(leftOut, limits)) {
    terminal.error(`${path}: ${line}`);
  }
  if (skills.length === 0) {
    throw nothingIn(path);
  }
  return skills;
}

async function isFolder(path: string, start: string): Promise<boolean> {
  const state = await stat(start).catch(() => undefined);
  if (!state) {
    throw new UsageError(`Skill path does not exist: ${path}`);
  }
  return state.isDirectory();
}

function nothingIn(path: string): UsageError {
  return new UsageError(`SKILL.md not found at ${join(path, 'SKILL.md')}, nor in a folder below.`);
}

async function skillFile(path: string, start: string): Promise<SkillFilePath> {
  if (archiveName.test(path)) {
    throw new UsageError(`${path}: only validate reads archives. Unpack it and name its folder.`);
  }
  const file = await skillFileAt(start);
  if (!file) {
    throw new UsageError(`${path} is neither a folder nor a SKILL.md.`);
  }
  return file;
}

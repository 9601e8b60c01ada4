import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeLeftOut } from '../skill-store/describe-left-out.ts';
import {
  type FolderEntry,
  folderEntry,
  readEntry,
  skillFileAmong,
  statFile,
} from '../skill-store/folder-entry.ts';
import { readSkillFile } from '../skill-store/read-skill-file.ts';
import { scanSource } from '../skill-store/scan-source.ts';
import type { FoundSkill } from '../skill-store/skill-snapshot.ts';
import type { SkillSource } from '../skill-store/skill-source.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** A folder with a `SKILL.md`, however that is spelled. */
export interface SkillPlace {
  /** The folder the search began in; nothing may lead out of it. */
  source: SkillSource;
  directory: string;
  file: FolderEntry;
}

/** A skill, and the path of its `SKILL.md`. */
export interface ReadSkill {
  path: string;
  found: FoundSkill;
}

/**
 * Every folder of a tree with a `SKILL.md`, also inside of skills and in folders that a source skips.
 *
 * @throws UsageError when there is none
 */
export async function findEverywhere(path: string): Promise<SkillPlace[]> {
  const start = resolve(path);
  if (!(await isFolder(path, start))) {
    return [await placeOfFile(path, start)];
  }
  const found = await search(start);
  if (found.length === 0) {
    throw nothingIn(path);
  }
  return found;
}

const archiveName = /\.(?:zip|skill|tgz|tar\.gz|json)$/i;

/** Whether there is a file at a path that is named as an archive of skills. */
export async function isArchive(path: string): Promise<boolean> {
  const state = archiveName.test(path) ? await stat(path).catch(() => undefined) : undefined;
  return state?.isFile() ?? false;
}

/**
 * The skills at some paths, read as a server would: a folder of skills, a skill's folder, or its
 * `SKILL.md`. What is beyond a limit is told on the terminal.
 *
 * @throws UsageError when there is nothing that could be a skill
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
      read.push(await readSkill(await placeOfFile(path, start)));
    }
  }
  return read;
}

async function readFolder(path: string, terminal: Terminal): Promise<ReadSkill[]> {
  const limits = terminal.skillLimits();
  const { skills, leftOut } = await scanSource(sourceAt(resolve(path)), limits);
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

export async function readSkill({ source, directory, file }: SkillPlace): Promise<ReadSkill> {
  const path = join(directory, file.name);
  return { path, found: await readSkillFile(source, directory, file, await statFile(path)) };
}

async function placeOfFile(path: string, file: string): Promise<SkillPlace> {
  if (archiveName.test(path)) {
    throw new UsageError(`${path}: only validate reads archives. Unpack it and name its folder.`);
  }
  const directory = dirname(file);
  const entry = await readEntry(directory, basename(file));
  if (!entry || !skillFileAmong([entry])) {
    throw new UsageError(`${path} is neither a folder nor a SKILL.md.`);
  }
  return { source: sourceAt(directory), directory, file: entry };
}

function sourceAt(directory: string): SkillSource {
  return { kind: 'local', directory, recursive: false };
}

async function search(root: string): Promise<SkillPlace[]> {
  const found: SkillPlace[] = [];
  const source = sourceAt(root);
  const left = [root];
  for (let directory = left.pop(); directory !== undefined; directory = left.pop()) {
    const said = await readdir(directory, { withFileTypes: true }).catch(() => []);
    const entries = said.map((each) => folderEntry(each.name, each));
    const file = skillFileAmong(entries);
    if (file) {
      found.push({ source, directory, file });
    }
    const below = entries.filter(({ name, isFolder }) => isFolder && name !== '.git');
    left.push(...below.map(({ name }) => join(directory, name)));
  }
  return found.sort((one, other) => (one.directory < other.directory ? -1 : 1));
}

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type FolderEntry,
  folderEntry,
  readEntry,
  skillFileAmong,
  statFile,
} from '../skills/folder-entry.ts';
import { readSkillFile } from '../skills/read-skill-file.ts';
import type { FoundSkill } from '../skills/skill-snapshot.ts';
import type { SkillSource } from '../skills/skill-source.ts';
import { skippedFolders } from '../skills/skipped-folders.ts';
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
 * The skills at a path: a folder of skills, a skill's folder, or its `SKILL.md`. Links to folders
 * are not followed.
 *
 * @param everywhere also inside of skills, and in folders that a source skips
 * @throws UsageError when there is nothing that could be a skill
 */
export async function findSkills(path: string, everywhere = false): Promise<SkillPlace[]> {
  const start = resolve(path);
  const state = await stat(start).catch(() => undefined);
  if (!state) {
    throw new UsageError(`There is no ${path}.`);
  }
  if (!state.isDirectory()) {
    return [await placeOfFile(path, start)];
  }
  const found = await search(start, everywhere);
  if (found.length === 0) {
    throw new UsageError(`There is no SKILL.md in ${path}.`);
  }
  return found;
}

const archiveName = /\.(?:zip|skill|tgz|tar\.gz|json)$/i;

/** Whether there is a file at a path that is named as an archive of skills. */
export async function isArchive(path: string): Promise<boolean> {
  const state = archiveName.test(path) ? await stat(path).catch(() => undefined) : undefined;
  return state?.isFile() ?? false;
}

/** The skills at some paths, read. */
export async function readSkills(paths: readonly string[]): Promise<ReadSkill[]> {
  const read: ReadSkill[] = [];
  for (const path of paths) {
    for (const place of await findSkills(path)) {
      read.push(await readSkill(place));
    }
  }
  return read;
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

async function search(root: string, everywhere: boolean): Promise<SkillPlace[]> {
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
    if (!file || everywhere) {
      const below = entries.filter(
        ({ name, isFolder }) =>
          isFolder && name !== '.git' && (everywhere || !skippedFolders.has(name)),
      );
      left.push(...below.map(({ name }) => join(directory, name)));
    }
  }
  return found.sort((one, other) => (one.directory < other.directory ? -1 : 1));
}

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderEntry, readEntry, skillFileAmong, statFile } from './folder-entry.ts';
import { folderSource } from './folder-source.ts';
import { readSkillFile } from './read-skill-file.ts';
import type { FoundSkill } from './skill-source.ts';

/** A `SKILL.md`, in any case. */
export interface SkillFilePath {
  /** The folder where the search started; symbolic links must not lead out of it. */
  root: string;
  path: string;
}

/** All `SKILL.md` files below a folder, including nested skills and folders that a source skips. */
export async function findSkillFiles(root: string): Promise<SkillFilePath[]> {
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const above = folder;
    const dirents = await readdir(above, { withFileTypes: true }).catch(() => []);
    const entries = dirents.map((each) => folderEntry(each.name, each));
    const file = skillFileAmong(entries);
    if (file) {
      found.push(join(above, file.name));
    }
    const below = entries.filter(({ name, isFolder }) => isFolder && name !== '.git');
    pending.push(...below.map(({ name }) => join(above, name)));
  }
  return found
    .sort((one, other) => (dirname(one) < dirname(other) ? -1 : 1))
    .map((path) => ({ root, path }));
}

/** Undefined if there is no `SKILL.md` at this path. */
export async function skillFileAt(path: string): Promise<SkillFilePath | undefined> {
  const root = dirname(path);
  const entry = await readEntry(root, basename(path));
  return entry && skillFileAmong([entry]) ? { root, path } : undefined;
}

/** Reads a skill like the store does. Throws if there is no file at the path. */
export async function readSkillAt({ root, path }: SkillFilePath): Promise<FoundSkill> {
  const [folder, name] = [dirname(path), basename(path)];
  const source = folderSource({ kind: 'local', directory: root, recursive: false });
  const entry = (await readEntry(folder, name)) ?? { name, isLink: false, isFolder: false };
  return readSkillFile(source, folder, entry, await statFile(path));
}

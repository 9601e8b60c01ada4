import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderEntry, readEntry, skillFileAmong, statFile } from './folder-entry.ts';
import { folderSource } from './folder-source.ts';
import { readSkillFile } from './read-skill-file.ts';
import type { FoundSkill } from './skill-source.ts';

/** A `SKILL.md`, however that is spelled. */
export interface SkillFilePath {
  /** The folder the search began in; nothing may lead out of it. */
  root: string;
  path: string;
}

/** Every one below a folder, also inside of skills and in folders that a source skips. */
export async function findSkillFiles(root: string): Promise<SkillFilePath[]> {
  const found: string[] = [];
  const left = [root];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const above = folder;
    const said = await readdir(above, { withFileTypes: true }).catch(() => []);
    const entries = said.map((each) => folderEntry(each.name, each));
    const file = skillFileAmong(entries);
    if (file) {
      found.push(join(above, file.name));
    }
    const below = entries.filter(({ name, isFolder }) => isFolder && name !== '.git');
    left.push(...below.map(({ name }) => join(above, name)));
  }
  return found
    .sort((one, other) => (dirname(one) < dirname(other) ? -1 : 1))
    .map((path) => ({ root, path }));
}

/** Undefined when there is no `SKILL.md` of that path. */
export async function skillFileAt(path: string): Promise<SkillFilePath | undefined> {
  const root = dirname(path);
  const entry = await readEntry(root, basename(path));
  return entry && skillFileAmong([entry]) ? { root, path } : undefined;
}

/** Reads a skill as the store would. Throws when there is no file of that path. */
export async function readSkillAt({ root, path }: SkillFilePath): Promise<FoundSkill> {
  const [folder, name] = [dirname(path), basename(path)];
  const source = folderSource({ kind: 'local', directory: root, recursive: false });
  const entry = (await readEntry(folder, name)) ?? { name, isLink: false, isFolder: false };
  return readSkillFile(source, folder, entry, await statFile(path));
}

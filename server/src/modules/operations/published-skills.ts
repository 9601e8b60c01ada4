import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/storage/schema.ts';
import {
  isSkillFile,
  listPublished,
  nameOf,
  readPublishedFile,
  readReviewState,
} from '../skills/index.ts';
import type { TreeFile } from './list-tree.ts';

const part = 'contents/skills';

/**
 * The files of a backup with the skills as they are published, if edits in the file system are reviewed: what waits
 * for a review is not in a backup. Otherwise, the same files.
 */
export async function withPublishedSkills(
  files: ReadonlyMap<string, TreeFile>,
  database: Kysely<Schema> | undefined,
): Promise<ReadonlyMap<string, TreeFile>> {
  if (!database || (await readReviewState(database)) === 'off') {
    return files;
  }
  const folders = findFolders(files.keys());
  const published: TreeFile[] = [];
  const names = new Set(folders.keys());
  for await (const { name, manifest, sizes, createdAt } of listPublished(database)) {
    names.add(name);
    for (const file of manifest) {
      published.push({
        path: `${part}/${folders.get(name) ?? name}/${file.path}`,
        diskPath: '',
        size: sizes.get(file.digest) ?? 0,
        executable: file.executable,
        changedAt: new Date(createdAt),
        read: () => readPublishedFile(database, file),
      });
    }
  }
  const replaced = [...names].map((name) => `${part}/${folders.get(name) ?? name}/`);
  const isReplaced = createPrefixCheck(replaced);
  const others = [...files.values()].filter(({ path }) => !isReplaced(path));
  const all = [...others, ...published].sort((one, other) => (one.path < other.path ? -1 : 1));
  return new Map(all.map((file) => [file.path, file]));
}

/** The paths of the folders with a `SKILL.md`, by name of the skill: the folder with its very name comes first. */
function findFolders(paths: Iterable<string>): Map<string, string> {
  const folders = new Map<string, string>();
  for (const path of paths) {
    const [, , ...inside] = path.split('/');
    const file = inside.pop() ?? '';
    if (path.startsWith(`${part}/`) && inside.length > 0 && isSkillFile({ path: file })) {
      const folder = inside.join('/');
      const name = nameOf(folder);
      if (folder === name || !folders.has(name)) {
        folders.set(name, folder);
      }
    }
  }
  return folders;
}

/** Whether a path is below one of these folders. */
function createPrefixCheck(folders: readonly string[]): (path: string) => boolean {
  const known = new Set(folders);
  return (path) => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (known.has(path.slice(0, end + 1))) {
        return true;
      }
    }
    return false;
  };
}

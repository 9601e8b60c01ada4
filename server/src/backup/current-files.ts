import { isSecret } from '../content/is-secret.ts';
import { foldedPath } from '../lib/folded-path.ts';
import { backupLimits } from './backup-limits.ts';
import { faultOfBackupPath, folderParts } from './backup-paths.ts';
import { diskPathOf, folderOf, isTaken, type Layout } from './layout.ts';
import { type LeftOut, listTree, type TreeFile } from './list-tree.ts';

/** What is there now, as far as a backup is concerned. */
export interface CurrentFiles {
  /** By path. */
  files: ReadonlyMap<string, TreeFile>;
  /** What is never in a backup, and stays where it is. */
  secrets: readonly Pick<TreeFile, 'path' | 'diskPath'>[];
  /** What cannot be in a backup: no restore could write it everywhere. It stays where it is, too. */
  leftOut: readonly LeftOut[];
}

/** Lists `contents/` and the local skills. */
export async function listCurrentFiles(layout: Layout): Promise<CurrentFiles> {
  const trees = await Promise.all([
    ...folderParts.map((part) => listTree(folderOf(layout, part), `contents/${part}`)),
    listTree(layout.contentsDirectory, 'contents', isTaken(layout)),
  ]);
  const all = trees.flatMap((tree) => tree.files);
  const found = all.sort((one, other) => (one.path < other.path ? -1 : 1));
  const files = new Map<string, TreeFile>();
  const secrets: CurrentFiles['secrets'][number][] = [];
  const leftOut: LeftOut[] = [];
  for (const one of trees.flatMap((tree) => tree.leftOut)) {
    if (isSecret(one.path)) {
      secrets.push({ path: one.path, diskPath: diskPathOf(layout, one.path) });
    } else {
      leftOut.push(one);
    }
  }
  const faultOf = pathRules();
  for (const file of found) {
    const message = isSecret(file.path) ? undefined : faultOf(file);
    if (isSecret(file.path)) {
      secrets.push(file);
    } else if (message === undefined) {
      files.set(file.path, file);
    } else {
      leftOut.push({ path: file.path, message });
    }
  }
  return { files, secrets, leftOut };
}

/** What keeps one file after another out of a backup. */
function pathRules(): (file: TreeFile) => string | undefined {
  const seen = new Map<string, string>();
  return ({ path, size }) => {
    const fault = faultOfBackupPath(path);
    if (fault) {
      return fault.message;
    }
    if (size > backupLimits.fileBytes) {
      return `The file is larger than ${backupLimits.fileBytes} bytes.`;
    }
    const parts = path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
    const other = parts
      .map((part) => ({ part, first: seen.get(foldedPath(part)) ?? part }))
      .find(({ part, first }) => part !== first);
    if (other) {
      return `"${other.part}" differs from "${other.first}" in case or accents only.`;
    }
    for (const part of parts) {
      seen.set(foldedPath(part), part);
    }
    return undefined;
  };
}

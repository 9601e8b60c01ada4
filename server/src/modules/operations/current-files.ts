import { foldPath } from '@knowhow/shared/fold-path';
import { isSecret } from '../content/index.ts';
import { backupLimits } from './backup-limits.ts';
import { folderParts, validateBackupPath } from './backup-paths.ts';
import { getDiskPath, getPartFolder, isReservedName, type Layout } from './layout.ts';
import { type LeftOut, listTree, type TreeFile } from './list-tree.ts';

/** The present files, as far as backups are concerned. */
export interface CurrentFiles {
  /** By path. */
  files: ReadonlyMap<string, TreeFile>;
  /** Files that are never part of a backup and stay in place. */
  secrets: readonly Pick<TreeFile, 'path' | 'diskPath'>[];
  /** Files that cannot be in a backup, because not every platform could restore them. They stay in place too. */
  leftOut: readonly LeftOut[];
}

/** Lists `contents/` and the local skills. */
export async function listCurrentFiles(layout: Layout): Promise<CurrentFiles> {
  const trees = await Promise.all([
    ...folderParts.map((part) => listTree(getPartFolder(layout, part), `contents/${part}`)),
    listTree(layout.contentsDirectory, 'contents', isReservedName(layout)),
  ]);
  const all = trees.flatMap((tree) => tree.files);
  const found = all.sort((one, other) => (one.path < other.path ? -1 : 1));
  const files = new Map<string, TreeFile>();
  const secrets: CurrentFiles['secrets'][number][] = [];
  const leftOut: LeftOut[] = [];
  for (const one of trees.flatMap((tree) => tree.leftOut)) {
    if (isSecret(one.path)) {
      secrets.push({ path: one.path, diskPath: getDiskPath(layout, one.path) });
    } else {
      leftOut.push(one);
    }
  }
  const findIssue = createPathCheck();
  for (const file of found) {
    const message = isSecret(file.path) ? undefined : findIssue(file);
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

/** Creates a check that is called with each file in turn and returns why it cannot be in a backup. */
function createPathCheck(): (file: TreeFile) => string | undefined {
  const seen = new Map<string, string>();
  return ({ path, size }) => {
    const fault = validateBackupPath(path);
    if (fault) {
      return fault.message;
    }
    if (size > backupLimits.fileBytes) {
      return `The file is larger than ${backupLimits.fileBytes} bytes.`;
    }
    const parts = path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
    const other = parts
      .map((part) => ({ part, first: seen.get(foldPath(part)) ?? part }))
      .find(({ part, first }) => part !== first);
    if (other) {
      return `"${other.part}" differs from "${other.first}" in case or accents only.`;
    }
    for (const part of parts) {
      seen.set(foldPath(part), part);
    }
    return undefined;
  };
}

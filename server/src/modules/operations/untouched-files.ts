import { join } from 'node:path';
import type { BackupSource } from './backup-source.ts';
import { type Choice, parentFolders } from './choose-entries.ts';
import type { CurrentFiles } from './current-files.ts';
import { isThere } from './restore-journal.ts';

interface States {
  source: BackupSource;
  choice: Choice;
  current: CurrentFiles;
}

/**
 * Paths that a restore leaves untouched although the backup does not contain them. They cannot be in a backup, or
 * could not be in this one. Files of the backup replace them.
 */
export async function findUntouchedFiles({
  source,
  choice,
  current,
}: States): Promise<Set<string>> {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const untouchedPaths = new Set<string>();
  const candidates = [
    ...current.leftOut.map(({ path }) => path),
    ...[...current.files.keys()].filter((path) => missed.size > 0 && isWithin(missed, path)),
  ];
  for (const path of candidates.filter((one) => choice.covers(one))) {
    const isReplaced =
      parentFolders(path).some((folder) => source.files.has(folder)) ||
      (await isThere(join(source.directory, path)));
    if (!isReplaced) {
      untouchedPaths.add(path);
    }
  }
  return untouchedPaths;
}

/** Explains for each path that is not, or cannot be, in the backup why, and whether it stays. */
export function describeUntouchedFiles(
  untouchedPaths: ReadonlySet<string>,
  { source, current }: Pick<States, 'source' | 'current'>,
): string[] {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const untouched = new Set([...untouchedPaths].flatMap((path) => [path, ...parentFolders(path)]));
  const now = current.leftOut.filter(
    ({ path }) => untouchedPaths.has(path) && !isWithin(missed, path),
  );
  return [
    ...source.leftOut.map(({ path, message }) => {
      const stays = untouched.has(path) ? ' and stays as it is' : '';
      return `${path} is not in the backup${stays}: ${message}`;
    }),
    ...now.map(
      ({ path, message }) => `${path} cannot be in a backup and stays as it is: ${message}`,
    ),
  ];
}

function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  return [path, ...parentFolders(path)].some((one) => paths.has(one));
}

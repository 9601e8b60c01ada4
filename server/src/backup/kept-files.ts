import { join } from 'node:path';
import type { BackupSource } from './backup-source.ts';
import { type Choice, foldersOver } from './choose-entries.ts';
import type { CurrentFiles } from './current-files.ts';
import { isThere } from './restore-journal.ts';

interface States {
  source: BackupSource;
  choice: Choice;
  current: CurrentFiles;
}

/**
 * The paths of what a restore leaves as it is although the backup does not hold it: that says nothing of
 * what cannot be in a backup, or could not be in this one. What the backup brings in its place goes.
 */
export async function keptFiles({ source, choice, current }: States): Promise<Set<string>> {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const kept = new Set<string>();
  const candidates = [
    ...current.leftOut.map(({ path }) => path),
    ...[...current.files.keys()].filter((path) => missed.size > 0 && isWithin(missed, path)),
  ];
  for (const path of candidates.filter((one) => choice.covers(one))) {
    const isBrought =
      foldersOver(path).some((folder) => source.files.has(folder)) ||
      (await isThere(join(source.directory, path)));
    if (!isBrought) {
      kept.add(path);
    }
  }
  return kept;
}

/** Says of each thing that is not in the backup, or could not be, why, and whether it stays. */
export function warningsOfKept(
  kept: ReadonlySet<string>,
  { source, current }: Pick<States, 'source' | 'current'>,
): string[] {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const staying = new Set([...kept].flatMap((path) => [path, ...foldersOver(path)]));
  const now = current.leftOut.filter(({ path }) => kept.has(path) && !isWithin(missed, path));
  return [
    ...source.leftOut.map(({ path, message }) => {
      const stays = staying.has(path) ? ' and stays as it is' : '';
      return `${path} is not in the backup${stays}: ${message}`;
    }),
    ...now.map(
      ({ path, message }) => `${path} cannot be in a backup and stays as it is: ${message}`,
    ),
  ];
}

function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  return [path, ...foldersOver(path)].some((one) => paths.has(one));
}

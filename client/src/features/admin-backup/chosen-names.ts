import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';

/** The parts of these names: parts themselves, and single items such as `skills/pdf`. */
export function partsOfNames(names: readonly string[]): BackupPart[] {
  return backupParts.filter((part) => names.some((name) => belongsToPart(name, part)));
}

/**
 * The names to request so that only these parts are restored; undefined for all. A backup of single items is
 * requested by item: restoring the whole part would remove items that it does not contain.
 *
 * @param names the contents of the backup
 */
export function namesForParts(
  names: readonly string[],
  chosen: readonly BackupPart[],
): string | undefined {
  const wanted = names.filter((name) => chosen.some((part) => belongsToPart(name, part)));
  return wanted.length === names.length ? undefined : wanted.join(',');
}

function belongsToPart(name: string, part: BackupPart): boolean {
  return name === part || name.startsWith(`${part}/`);
}

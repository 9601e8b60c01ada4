import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';

/** The parts that these names are of: parts themselves, and single items such as `skills/pdf`. */
export function partsOf(names: readonly string[]): BackupPart[] {
  return backupParts.filter((part) => names.some((name) => isOf(name, part)));
}

/**
 * What to ask for so that only these parts are restored; undefined for all there is. A backup of single
 * items is asked for these: its part as a whole would remove what it does not hold.
 *
 * @param names what the backup holds
 */
export function onlyFor(
  names: readonly string[],
  chosen: readonly BackupPart[],
): string | undefined {
  const wanted = names.filter((name) => chosen.some((part) => isOf(name, part)));
  return wanted.length === names.length ? undefined : wanted.join(',');
}

function isOf(name: string, part: BackupPart): boolean {
  return name === part || name.startsWith(`${part}/`);
}

import { type BackupPart, backupApi, backupParts } from '@knowhow/shared/config/backup';
import { addressOf } from '../../api/request.ts';

/** The parts that are files: users and conversations are asked for by themselves. */
export const fileParts = backupParts.filter((part) => part !== 'data');

/** Where a backup of these parts is; undefined when there would be nothing in it. */
export function exportAddress(
  parts: readonly BackupPart[],
  { withData }: { withData: boolean },
): string | undefined {
  if (parts.length === 0 && !withData) {
    return undefined;
  }
  const isAll = fileParts.every((part) => parts.includes(part));
  const only = parts.length === 0 ? 'data' : parts.join(',');
  return addressOf(backupApi.export, {
    query: { ...(withData && { data: 'true' }), ...(!isAll && { only }) },
  });
}

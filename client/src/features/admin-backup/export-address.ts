import { type BackupPart, backupApi, backupParts } from '@knowhow/shared/config/backup';
import { buildUrl } from '../../api/request.ts';

/** The parts stored as files; users and conversations are requested separately. */
export const fileParts = backupParts.filter((part) => part !== 'data');

/** The download URL of a backup of these parts; undefined if it would be empty. */
export function exportAddress(
  parts: readonly BackupPart[],
  { withData }: { withData: boolean },
): string | undefined {
  if (parts.length === 0 && !withData) {
    return undefined;
  }
  const isAll = fileParts.every((part) => parts.includes(part));
  const only = parts.length === 0 ? 'data' : parts.join(',');
  return buildUrl(backupApi.export, {
    query: { ...(withData && { data: 'true' }), ...(!isAll && { only }) },
  });
}

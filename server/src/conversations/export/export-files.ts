import type { Database } from '../../storage/open-database.ts';
import { readContent } from '../file-contents.ts';
import type { ExportFiles } from './export-writer.ts';

/** Of all files of one export, in bytes: as much as is imported again. */
export const mostFileBytes = 48 * 1024 * 1024;

/** The files of a conversation, one at a time. */
export function exportFiles(database: Database, conversationId: string): ExportFiles {
  let left = mostFileBytes;
  return {
    read: async ({ id, size }) => {
      if (size > left) {
        return undefined;
      }
      const row = await database
        .selectFrom('files')
        .select('sha256')
        .where('id', '=', id)
        .where('conversation_id', '=', conversationId)
        .executeTakeFirst();
      left -= row ? size : 0;
      return row && readContent(database, row.sha256);
    },
  };
}

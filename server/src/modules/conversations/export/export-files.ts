import type { Database } from '../../../platform/storage/open-database.ts';
import { readContent } from '../file-contents.ts';
import type { ExportFiles } from './export-writer.ts';

/** Maximum total size of the files in one export, in bytes; an import accepts as much. */
export const maxFileBytes = 48 * 1024 * 1024;

/** Reads a conversation's files one at a time. */
export function exportFiles(database: Database, conversationId: string): ExportFiles {
  let remaining = maxFileBytes;
  return {
    read: async ({ id, size }) => {
      if (size > remaining) {
        return undefined;
      }
      const row = await database
        .selectFrom('files')
        .select('sha256')
        .where('id', '=', id)
        .where('conversation_id', '=', conversationId)
        .executeTakeFirst();
      remaining -= row ? size : 0;
      return row && readContent(database, row.sha256);
    },
  };
}

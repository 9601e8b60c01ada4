import { Readable } from 'node:stream';
import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { Database } from '../../../platform/storage/open-database.ts';
import { streamZip } from '../../skills/index.ts';
import type { FreezeOptions } from '../sharing/freeze-message.ts';
import { frozenMessages } from '../sharing/frozen-messages.ts';
import { exportFiles, maxFileBytes } from './export-files.ts';
import type { ExportHead } from './export-writer.ts';
import { jsonWriter } from './json-writer.ts';

/** A conversation as a zip: JSON plus its attached files, up to the size limit. */
export function exportZip(
  database: Database,
  { head, freezing }: { head: ExportHead; freezing: FreezeOptions },
): Readable {
  const mtime = new Date(head.updated_at);
  const files = exportFiles(database, head.id);
  return streamZip(async (zip) => {
    const included = new Map<string, { file: Attachment; path: string }>();
    let remaining = maxFileBytes;
    const allocatePath = (file: Attachment) => {
      if (file.size > remaining) {
        return undefined;
      }
      remaining -= file.size;
      const path = `files/${file.id}${/\.[a-z0-9]{1,8}$/i.exec(file.name)?.[0] ?? ''}`;
      included.set(file.id, { file, path });
      return path;
    };
    const writer = jsonWriter(allocatePath);
    async function* json() {
      yield writer.begin(head);
      let from = 0;
      for await (const messages of frozenMessages(database, head.id, freezing)) {
        yield* writer.write(messages, from, files);
        from += messages.length;
      }
      yield writer.end();
    }
    await zip.add(Readable.from(json()), { path: 'knowhow.json', mtime });
    for (const { file, path } of included.values()) {
      const bytes = await files.read(file);
      if (bytes) {
        await zip.add(Readable.from([bytes]), { path, mtime });
      }
    }
    zip.close();
  });
}

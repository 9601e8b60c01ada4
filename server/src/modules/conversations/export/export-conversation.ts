import type { ExportFormat } from '@knowhow/shared/chat/conversation-export';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { FreezeOptions } from '../sharing/freeze-message.ts';
import { frozenMessages } from '../sharing/frozen-messages.ts';
import { exportFiles } from './export-files.ts';
import type { ExportHead, ExportWriter } from './export-writer.ts';
import { htmlWriter } from './html-writer.ts';
import { jsonWriter } from './json-writer.ts';
import { markdownWriter } from './markdown-writer.ts';

interface Export {
  head: ExportHead;
  format: Exclude<ExportFormat, 'zip'>;
  freezing: FreezeOptions;
  /** Language of the headings. */
  language: string;
}

const writers: Record<Exclude<ExportFormat, 'zip'>, (language: string) => ExportWriter> = {
  markdown: markdownWriter,
  html: htmlWriter,
  json: () => jsonWriter(),
};

/** Streams a conversation as a file. */
export async function* exportConversation(
  database: Database,
  { head, format, freezing, language }: Export,
): AsyncGenerator<Buffer> {
  const writer = writers[format](language);
  try {
    yield Buffer.from(writer.begin(head));
    let from = 0;
    const files = exportFiles(database, head.id);
    for await (const messages of frozenMessages(database, head.id, freezing)) {
      for await (const text of writer.write(messages, from, files)) {
        yield Buffer.from(text);
      }
      from += messages.length;
    }
    yield Buffer.from(writer.end());
  } finally {
    await writer.close?.();
  }
}

/** Metadata of the owner's conversation; undefined if they have no such conversation. */
export function findHead(
  database: Database,
  owner: string,
  id: string,
): Promise<ExportHead | undefined> {
  return database
    .selectFrom('conversations')
    .select(['id', 'app_id', 'title', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
}

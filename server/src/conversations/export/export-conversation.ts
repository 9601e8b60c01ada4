import type { ExportFormat } from '@knowhow/shared/conversation-export';
import type { Database } from '../../storage/open-database.ts';
import type { Freezing } from '../sharing/freeze-message.ts';
import { frozenMessages } from '../sharing/frozen-messages.ts';
import type { ExportHead, ExportWriter } from './export-writer.ts';
import { htmlWriter } from './html-writer.ts';
import { jsonWriter } from './json-writer.ts';
import { markdownWriter } from './markdown-writer.ts';

interface Export {
  head: ExportHead;
  format: ExportFormat;
  freezing: Freezing;
  /** That headings are in. */
  language: string;
}

const writers: Record<ExportFormat, (language: string) => ExportWriter> = {
  markdown: markdownWriter,
  html: htmlWriter,
  json: jsonWriter,
};

/** A conversation as a file, bit by bit. */
export async function* exportConversation(
  database: Database,
  { head, format, freezing, language }: Export,
): AsyncGenerator<Buffer> {
  const writer = writers[format](language);
  try {
    yield Buffer.from(writer.begin(head));
    let from = 0;
    for await (const messages of frozenMessages(database, head.id, freezing)) {
      yield Buffer.from(await writer.write(messages, from));
      from += messages.length;
    }
    yield Buffer.from(writer.end());
  } finally {
    await writer.close?.();
  }
}

/** What there is to say of a conversation of somebody's. */
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

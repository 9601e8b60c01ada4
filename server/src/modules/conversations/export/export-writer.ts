import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { Selectable } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { FrozenMessage } from '../sharing/freeze-message.ts';

/** Metadata of a conversation. */
export type ExportHead = Pick<
  Selectable<Schema['conversations']>,
  'id' | 'app_id' | 'title' | 'created_at' | 'updated_at'
>;

/** Content of a conversation's files; undefined once the export's size limit is reached. */
export interface ExportFiles {
  read(file: Pick<Attachment, 'id' | 'size'>): Promise<Buffer | undefined>;
}

/** Writes a conversation in batches of messages. */
export interface ExportWriter {
  begin(head: ExportHead): string;
  /** @param from position of the first message */
  write(
    messages: readonly FrozenMessage[],
    from: number,
    files: ExportFiles,
  ): AsyncIterable<string> | Iterable<string>;
  end(): string;
  /** Releases resources; also called if the reader disconnects early. */
  close?(): Promise<void>;
}

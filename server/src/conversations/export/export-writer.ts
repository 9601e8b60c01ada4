import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { Selectable } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import type { FrozenMessage } from '../sharing/freeze-message.ts';

/** What there is to say of a conversation. */
export type ExportHead = Pick<
  Selectable<Schema['conversations']>,
  'id' | 'app_id' | 'title' | 'created_at' | 'updated_at'
>;

/** What is in the files of a conversation; undefined above what an export may hold of them. */
export interface ExportFiles {
  read(file: Pick<Attachment, 'id' | 'size'>): Promise<Buffer | undefined>;
}

/** Writes a conversation, some messages at a time. */
export interface ExportWriter {
  begin(head: ExportHead): string;
  /** @param from position of the first of them */
  write(
    messages: readonly FrozenMessage[],
    from: number,
    files: ExportFiles,
  ): AsyncIterable<string> | Iterable<string>;
  end(): string;
  /** Also where its reader has gone before the end. */
  close?(): Promise<void>;
}

import type { ColumnType } from 'kysely';

/** Files of conversations: created by tools, or uploaded by users. */
export interface FileTables {
  files: {
    id: string;
    /** The user who uploaded it; null for a file of a tool. */
    owner: string | null;
    /** Null until the message is sent, as is `message_id`. */
    conversation_id: string | null;
    message_id: string | null;
    name: string;
    type: string;
    /** In bytes. */
    size: number;
    /** Hash of the content. */
    sha256: string;
    /**
     * SHA-256 of the extracted text in UTF-8, which is stored like contents. Null for pictures and
     * files of tools.
     */
    text: string | null;
    /** JSON: metadata of an attachment; null for a file of a tool. */
    details: string | null;
    created_at: string;
  };
  file_contents: {
    sha256: string;
    /** From 0; each part except the last has 1 MiB. */
    part: number;
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}

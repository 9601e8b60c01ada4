import type { ColumnType } from 'kysely';

/** Files of conversations: what tools have made, and what users have attached. */
export interface FileTables {
  files: {
    id: string;
    /** Who has uploaded it; null for what a tool has made. */
    owner: string | null;
    /** Null, as is the next, until it is sent. */
    conversation_id: string | null;
    message_id: string | null;
    name: string;
    type: string;
    /** In bytes. */
    size: number;
    /** Of its bytes. */
    sha256: string;
    /** SHA-256 of its text in UTF-8, which is kept as bytes are; null for a picture and for what a tool has made. */
    text: string | null;
    /** JSON: what is said of one that is attached; null for what a tool has made. */
    details: string | null;
    created_at: string;
  };
  file_contents: {
    sha256: string;
    /** From 0; each but the last one has 1 MiB. */
    part: number;
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}

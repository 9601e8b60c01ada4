import type { ColumnType } from 'kysely';

/**
 * `contents/` of an installation that has it in the database: none of it where a folder is the truth. None is in a backup,
 * which reads the files.
 */
export interface ContentTables {
  /** One row. */
  content_state: {
    id: number;
    /** Counts the changes. */
    generation: number;
    changed_at: string;
  };
  content_files: {
    /** From `contents/`, such as `apps/chat.json`. */
    path: string;
    sha256: string;
    executable: number;
  };
  /** The bytes of files, each once. */
  content_blobs: {
    sha256: string;
    /** The library binds bytes and gives a buffer. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}

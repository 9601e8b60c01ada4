import type { ColumnType } from 'kysely';

/**
 * The `contents/` folder of an installation that stores it in the database. Empty if the folder is
 * the source of truth. Not part of backups, which read the files.
 */
export interface ContentTables {
  /** Always one row. */
  content_state: {
    id: number;
    /** Incremented with each change. */
    generation: number;
    changed_at: string;
  };
  content_files: {
    /** Relative to `contents/`, such as `apps/chat.json`. */
    path: string;
    sha256: string;
    executable: number;
  };
  /** File contents, deduplicated by hash. */
  content_blobs: {
    sha256: string;
    /** The driver binds bytes and returns a buffer. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}

/** Task for `long-read-worker.ts`, which returns the rows of each query. */
export interface LongReadTask {
  /** Path of the database file. */
  path: string;
  queries: readonly { sql: string; parameters: readonly unknown[] }[];
}

export type Rows = Record<string, unknown>[];

/** What is asked of `long-read-worker.ts`; it answers with the rows of each query. */
export interface LongReadTask {
  /** Of the database's file. */
  path: string;
  queries: readonly { sql: string; parameters: readonly unknown[] }[];
}

export type Rows = Record<string, unknown>[];

import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../lib/lower-priority.ts';
import type { LongReadTask, Rows } from './long-read-task.ts';
import { openToRead } from './open-file.ts';

// Runs in a worker thread, one task at a time: see `long-reads.ts`.
lowerPriority();
parentPort?.on('message', (task: LongReadTask) => parentPort?.postMessage(answer(task)));

function answer({ path, queries }: LongReadTask): Rows[] {
  const sqlite = openToRead(path);
  try {
    // One transaction: all queries see the same snapshot.
    sqlite.exec('PRAGMA busy_timeout=5000; BEGIN;');
    return queries.map(({ sql, parameters }) => sqlite.prepare(sql).all(...parameters) as Rows);
  } finally {
    sqlite.close();
  }
}

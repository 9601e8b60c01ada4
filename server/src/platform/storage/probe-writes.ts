import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem, problem } from '@knowhow/shared/problem';
import { toWriteProblem } from '../lib/write-problem.ts';
import { databaseProblem } from './database-problem.ts';
import type { Database } from './open-database.ts';

interface Probed {
  database: Database;
  dataDirectory: string;
}

/** Milliseconds for which a result is kept, so that repeated probes cause no writes. */
const freshMs = 5000;
/** Bytes of a write. A full disk may still have room for a few bytes. */
const probeBytes = 64 * 1024;

/**
 * Returns a check that the database and the data folder accept a small write. It throws `not-ready` with the reason, and writes at most
 * once in `freshMs`.
 */
export function createWriteProbe(probed: Probed): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<void> = Promise.resolve();
  return () => {
    if (performance.now() - startedAt > freshMs) {
      startedAt = performance.now();
      result = probeWrites(probed);
      result.catch(() => undefined);
    }
    return result;
  };
}

async function probeWrites({ database, dataDirectory }: Probed): Promise<void> {
  await writeFolder(dataDirectory).catch((error: unknown) => {
    throw notReady(toWriteProblem(error, 'The data folder'), error);
  });
  await writeDatabase(database).catch((error: unknown) => {
    throw notReady(databaseProblem(error), error);
  });
}

async function writeFolder(folder: string): Promise<void> {
  const path = join(folder, `readiness-${process.pid}.tmp`);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(probeBytes));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** Inserts and deletes a row in one transaction: it reaches the disk, and is never visible. */
async function writeDatabase(database: Database): Promise<void> {
  const name = `readiness ${randomUUID()}`;
  await database.transaction().execute(async (transaction) => {
    const row = { name, id: name, node: '', data: 'x'.repeat(probeBytes), until: 0 };
    await transaction.insertInto('leases').values(row).execute();
    await transaction.deleteFrom('leases').where('name', '=', name).execute();
  });
}

function notReady(known: unknown, cause: unknown): Problem {
  const reason = known instanceof Problem ? known.message : 'The disk cannot be written.';
  return problem('not-ready', reason, { cause });
}

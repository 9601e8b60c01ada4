import { problem } from '@knowhow/shared/problem';
import { sql, type Transaction } from 'kysely';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { ContentChange, ContentFiles } from './content-file.ts';
import { digest } from './content-folder.ts';

/** The contents stored in the database. */
export interface ContentState {
  generation: number;
  files: ContentFiles;
}

const id = 1;

/** Undefined if a folder is the source of truth. */
export async function readGeneration(database: Database): Promise<number | undefined> {
  const query = database.selectFrom('content_state').select('generation').where('id', '=', id);
  return (await query.executeTakeFirst())?.generation;
}

/** Reads everything in one snapshot. */
export function readContentState(database: Database): Promise<ContentState | undefined> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (read) => {
      const generation = await readGeneration(read);
      const rows = await read.selectFrom('content_files').selectAll().execute();
      const files = new Map(
        rows.map(({ path, sha256, executable }) => [
          path,
          { sha256, executable: executable === 1 },
        ]),
      );
      return generation === undefined ? undefined : { generation, files };
    });
}

/** Undefined if the content is no longer referenced. */
export async function readBlob(database: Database, sha256: string): Promise<Buffer | undefined> {
  const query = database.selectFrom('content_blobs').select('bytes').where('sha256', '=', sha256);
  const row = await query.executeTakeFirst();
  return row && Buffer.from(row.bytes);
}

interface Write {
  /** The generation on which the changes are based; undefined if there is none yet. */
  base: number | undefined;
  changes: readonly ContentChange[];
  read: (path: string) => Promise<Uint8Array>;
}

/** Acquires the lock for writing contents. Call it before locking other tables, to avoid a deadlock. */
export function lockContents(write: Transaction<Schema>): Promise<void> {
  return acquireTransactionLock(write, 'contents');
}

/** Like `writeContentsIn`, in a transaction of its own. */
export function writeContents(database: Database, changed: Write): Promise<number> {
  return database.transaction().execute((write) => writeContentsIn(write, changed));
}

/**
 * Writes changes in a transaction and returns the new generation. Throws `changed-meanwhile` if the base generation
 * is outdated.
 */
export async function writeContentsIn(
  write: Transaction<Schema>,
  { base, changes, read }: Write,
): Promise<number> {
  await lockContents(write);
  if ((await readGeneration(write)) !== base) {
    throw problem(
      'changed-meanwhile',
      'Another administrator has changed the configuration or the skills. Reload them, then try again.',
    );
  }
  for (const change of changes) {
    await writeChange(write, change, read);
  }
  const former = changes.flatMap(({ before }) => (before ? [before.sha256] : []));
  await write
    .deleteFrom('content_blobs')
    .where('sha256', 'in', inList(former))
    .where('sha256', 'not in', (rows) => rows.selectFrom('content_files').select('sha256'))
    .execute();
  const row = { generation: (base ?? 0) + 1, changed_at: new Date().toISOString() };
  await write
    .insertInto('content_state')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  return row.generation;
}

async function writeChange(
  write: Transaction<Schema>,
  { path, after }: ContentChange,
  read: (path: string) => Promise<Uint8Array>,
): Promise<void> {
  if (!after) {
    await write.deleteFrom('content_files').where('path', '=', path).execute();
    return;
  }
  const { sha256 } = after;
  const { rows } = await sql`select 1 from content_blobs where sha256 = ${sha256}`.execute(write);
  if (rows.length === 0) {
    const bytes = await read(path);
    if (digest(bytes) !== sha256) {
      throw problem('conflict', `${path} has just been changed. Try again.`);
    }
    await write.insertInto('content_blobs').values({ sha256, bytes }).execute();
  }
  const row = { sha256, executable: Number(after.executable) };
  await write
    .insertInto('content_files')
    .values({ path, ...row })
    .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
    .execute();
}

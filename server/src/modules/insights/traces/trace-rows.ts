import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { StoredTrace, TraceSetting, VisibleIds, WholeTrace } from './stored-trace.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Minimum size for compression, in bytes. */
const minCompressBytes = 1000;
const gzipMagic = 0x1f;

/** Encodes a text for storage; compression runs off the main thread. */
export async function packText(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  return bytes.length > minCompressBytes ? compress(bytes, { level: 4 }) : bytes;
}

async function unpack(stored: ArrayBuffer): Promise<unknown> {
  const bytes = Buffer.from(stored);
  const text = bytes[0] === gzipMagic ? await expand(bytes) : bytes;
  return JSON.parse(text.toString());
}

export interface TraceRow {
  messageId: string;
  /** ISO 8601, UTC. */
  at: string;
  bytes: Uint8Array;
}

/** Inserts or updates a trace, unless its message has been deleted. */
export async function storeTrace(
  write: Transaction<Schema>,
  { messageId, at, bytes }: TraceRow,
): Promise<void> {
  await sql`
    insert into traces (message_id, created_at, bytes)
    select id, ${at}, ${bytes} from messages where id = ${messageId}
    on conflict (message_id) do update set bytes = excluded.bytes
  `.execute(write);
}

export async function storePart(
  write: Transaction<Schema>,
  { checksum, day, bytes }: { checksum: string; day: string; bytes: Uint8Array },
): Promise<void> {
  await write
    .insertInto('trace_parts')
    .values({ checksum, used_at: day, bytes })
    .onConflict((conflict) => conflict.column('checksum').doUpdateSet({ used_at: day }))
    .execute();
}

/** @param since ignores older traces, which may not have been removed yet */
export async function loadTrace(
  database: Database,
  messageId: string,
  since: string,
): Promise<WholeTrace | undefined> {
  const row = await database
    .selectFrom('traces')
    .select('bytes')
    .where('message_id', '=', messageId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  if (!row) {
    return undefined;
  }
  // Not validated: only this module writes it.
  const trace = (await unpack(row.bytes)) as StoredTrace;
  const settings = await loadParts<TraceSetting>(
    database,
    trace.rounds.map(({ setting }) => setting),
  );
  const visible = await loadParts<VisibleIds>(
    database,
    [...settings.values()].map((setting) => setting.visible),
  );
  return { messageId, trace, settings, visible };
}

async function loadParts<Part>(
  database: Database,
  checksums: readonly string[],
): Promise<Map<string, Part>> {
  const rows = await database
    .selectFrom('trace_parts')
    .select(['checksum', 'bytes'])
    .where('checksum', 'in', inList([...new Set(checksums)]))
    .execute();
  const parts = rows.map(
    async ({ checksum, bytes }) => [checksum, (await unpack(bytes)) as Part] as const,
  );
  return new Map(await Promise.all(parts));
}

const batchSize = 200;

/** Removes older traces and parts in batches. */
export async function removeTraces(
  database: Database,
  { before, partsBefore }: { before: string; partsBefore: string },
  lost: AbortSignal,
): Promise<void> {
  const removeTraceBatch = () =>
    database
      .deleteFrom('traces')
      .where('message_id', 'in', ({ selectFrom }) =>
        selectFrom('traces').select('message_id').where('created_at', '<', before).limit(batchSize),
      )
      .executeTakeFirst();
  const removePartBatch = () =>
    database
      .deleteFrom('trace_parts')
      .where('checksum', 'in', ({ selectFrom }) =>
        selectFrom('trace_parts')
          .select('checksum')
          .where('used_at', '<', partsBefore)
          .limit(batchSize),
      )
      .executeTakeFirst();
  for (const remove of [removeTraceBatch, removePartBatch]) {
    while (!lost.aborted && (await remove()).numDeletedRows > 0n) {
      await yieldToEventLoop();
    }
  }
}

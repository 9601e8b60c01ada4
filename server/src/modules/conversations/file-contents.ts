import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/storage/schema.ts';

const partBytes = 1024 * 1024;

/** Stores a file's content once. Its row must exist already, or cleanup would treat the content as orphaned. */
export async function storeContent(
  database: Kysely<Schema>,
  sha256: string,
  bytes: Uint8Array,
): Promise<void> {
  for (let part = 0; part * partBytes < bytes.length; part += 1) {
    const chunk = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await database
      .insertInto('file_contents')
      .values({ sha256, part, bytes: chunk })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Reads a content.
 *
 * @param atLeast number of leading bytes needed; default all
 */
export async function readContent(
  database: Kysely<Schema>,
  sha256: string,
  atLeast = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const query = database
    .selectFrom('file_contents')
    .select('bytes')
    .where('sha256', '=', sha256)
    .orderBy('part');
  const parts = await (Number.isFinite(atLeast)
    ? query.where('part', '<', Math.ceil(atLeast / partBytes))
    : query
  ).execute();
  return Buffer.concat(parts.map(({ bytes }) => Buffer.from(bytes)));
}

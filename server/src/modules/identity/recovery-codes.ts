import { randomInt } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';

const codeCount = 10;
/** 80 bits: not guessable. */
const codeLength = 16;
const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Replaces a user's recovery codes by new ones: `abcd-efgh-ijkl-mnop`. */
export async function renewRecoveryCodes(
  write: Transaction<Schema>,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, newCode);
  const rows = codes.map((code) => ({ user_id: userId, hash: sha256(code) }));
  await write.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await write.insertInto('recovery_codes').values(rows).execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, '$1-'));
}

export async function countRecoveryCodes(database: Database, userId: string): Promise<number> {
  const row = await database
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Uses up a recovery code. Returns whether it was valid. */
export async function takeRecoveryCode(
  database: Database,
  userId: string,
  written: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', sha256(written.toLowerCase().replaceAll(/[\s-]/g, '')))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');
}

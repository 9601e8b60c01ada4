import { randomInt } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { sql, type Transaction } from 'kysely';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import { createSeal } from '../../platform/lib/seal.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';

/** Second factor: codes of an authenticator app (TOTP), and recovery codes for its loss. */
export interface SecondFactors {
  state(userId: string): Promise<{ isOn: boolean; recoveryCodes: number }>;
  /**
   * Creates a secret, which takes effect once confirmed. Throws `conflict` if a second factor is
   * already on.
   */
  begin(userId: string, username: string): Promise<{ secret: string; uri: string }>;
  /** Returns the recovery codes. Throws `wrong-code`, and `conflict` if setup was not started. */
  confirm(userId: string, code: string): Promise<string[]>;
  /** Returns new recovery codes. Throws `conflict` if the second factor is off. */
  renewRecoveryCodes(userId: string): Promise<string[]>;
  /** Returns whether there was one. */
  remove(userId: string): Promise<boolean>;
  /**
   * Checks a code of a user whose password has been verified. Returns `good` if the user has no
   * second factor. Each code works once. Throws `too-many-requests` against brute force.
   *
   * @param address the client address as used by rate limits
   */
  check(userId: string, code: string | undefined, address: string): Promise<CodeVerdict>;
}

export type CodeVerdict = 'good' | 'missing' | 'wrong';

interface Dependencies {
  database: Database;
  cluster: Cluster;
  /** 32 bytes. */
  key: Uint8Array;
}

export function createSecondFactors({ database, cluster, key }: Dependencies): SecondFactors {
  const seal = createSeal(key, 'second factors');
  const guesses = createCodeGuesses(database, cluster);
  /** Whether a code is correct; if so, it and older ones cannot be replayed. */
  const useCode = async (factor: Factor, code: string) => {
    const secret = seal.open(factor.secret, factor.user_id);
    if (secret === undefined) {
      throw problem(
        'forbidden',
        'Codes of authenticator apps can no longer be checked, because the key of this installation has changed. Use a recovery code, or ask an administrator.',
      );
    }
    const step = await findTimeStep(secret, code);
    return step !== undefined && (await consumeStep(database, factor.user_id, step));
  };
  return {
    state: async (userId) => {
      const factor = await find(database, userId);
      const isOn = isConfirmed(factor);
      return { isOn, recoveryCodes: isOn ? await countRecoveryCodes(database, userId) : 0 };
    },
    begin: async (userId, username) => {
      const secret = await newSecret();
      await storeSecret(database, userId, seal.seal(secret, userId));
      return { secret, uri: await totpUri(secret, username) };
    },
    confirm: async (userId, code) => {
      const factor = await find(database, userId);
      if (!factor || isConfirmed(factor)) {
        throw problem('conflict', 'No setup is in progress. Start again.');
      }
      if (!(await useCode(factor, code))) {
        throw problem('wrong-code', 'This is not the code that the app shows now.');
      }
      const confirmed_at = new Date().toISOString();
      return change(database, userId, async (transaction) => {
        await transaction
          .updateTable('second_factors')
          .set({ confirmed_at })
          .where('user_id', '=', userId)
          .execute();
        return renewRecoveryCodes(transaction, userId);
      });
    },
    renewRecoveryCodes: (userId) =>
      change(database, userId, async (transaction) => {
        if (!isConfirmed(await find(transaction, userId))) {
          throw problem('conflict', 'There is no second factor. Switch it on first.');
        }
        return renewRecoveryCodes(transaction, userId);
      }),
    remove: (userId) => removeSecondFactor(database, userId),
    check: async (userId, code, address) => {
      const factor = await find(database, userId);
      if (!factor || !isConfirmed(factor)) {
        return 'good';
      }
      if (code === undefined) {
        return 'missing';
      }
      // Recovery codes are not guessable and not rate-limited: attackers cannot lock out their
      // owner.
      if (await takeRecoveryCode(database, userId, code)) {
        return 'good';
      }
      const isRight = await guesses.attempt({ userId, address }, () => useCode(factor, code));
      return isRight ? 'good' : 'wrong';
    },
  };
}

type Factor = { user_id: string; secret: string; confirmed_at: string | null };

/** Returns whether there was one. */
export async function removeSecondFactor(database: Database, userId: string): Promise<boolean> {
  return change(database, userId, async (transaction) => {
    await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('second_factors')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

/** Serializes changes per user. */
function change<Result>(
  database: Database,
  userId: string,
  run: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await acquireTransactionLock(transaction, `second factor ${userId}`);
    return run(transaction);
  });
}

function find(database: Database, userId: string): Promise<Factor | undefined> {
  return database
    .selectFrom('second_factors')
    .select(['user_id', 'secret', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

function isConfirmed(factor: Factor | undefined): boolean {
  return factor !== undefined && factor.confirmed_at !== null;
}

/** Replaces a secret that was not confirmed. */
async function storeSecret(database: Database, userId: string, secret: string): Promise<void> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('second_factors')
    .values({ user_id: userId, secret, confirmed_at: null, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) {
    throw problem('conflict', 'There is a second factor already. Switch it off first.');
  }
}

async function consumeStep(database: Database, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Tolerated clock skew, in seconds. */
const toleranceSeconds = 30;

const issuer = 'Knowhow';

/** A base32 secret for an authenticator app. */
async function newSecret(): Promise<string> {
  return (await library()).generateSecret();
}

/** The `otpauth:` URI for a QR code. */
async function totpUri(secret: string, username: string): Promise<string> {
  return (await library()).generateURI({ issuer, label: username, secret });
}

/** The time step of a currently valid code (RFC 6238); undefined for a wrong code. */
async function findTimeStep(secret: string, code: string): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) {
    return undefined;
  }
  const result = await (await library()).verify({
    secret,
    token,
    epochTolerance: toleranceSeconds,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Loaded on demand. */
function library() {
  return import('otplib');
}

/**
 * Limits guesses of second-factor codes for a user whose password is known. After `maxFreeGuesses`
 * the limit is one guess per ten minutes, across all addresses. At any time, three of a million
 * codes are valid. An address where the user has a session is counted separately, so that an
 * attacker cannot lock the user out.
 */
interface CodeGuesses {
  /** Runs a check; false means a wrong code. Throws `too-many-requests` with the time to wait. */
  attempt(who: Guess, check: () => Promise<boolean>): Promise<boolean>;
}

interface Guess {
  userId: string;
  /** The address as used by rate limits. */
  address: string;
}

const maxFreeGuesses = 10;

const perMinute = 0.1;

function createCodeGuesses(database: Database, cluster: Cluster): CodeGuesses {
  const counts = cluster.leakyCounts('second factor', () => perMinute);
  const keyOf = async ({ userId, address }: Guess) =>
    (await isKnown(database, { userId, address })) ? `${userId} ${address}` : userId;
  return {
    attempt: (who, check) =>
      cluster.withLock(`second factor ${who.userId}`, async () => {
        const key = await keyOf(who);
        const { count } = await counts.read(key);
        if (count + 1 > maxFreeGuesses) {
          const minutes = Math.ceil((count + 1 - maxFreeGuesses) / perMinute);
          throw problem(
            'too-many-requests',
            `Too many wrong codes were tried. Use a recovery code, or try again in ${minutes} minutes.`,
            { retryAfter: minutes * 60 },
          );
        }
        const isRight = await check();
        await (isRight ? counts.forget(key) : counts.add(key));
        return isRight;
      }),
  };
}

/** Whether the user has a session from this address. */
async function isKnown(database: Database, { userId, address }: Guess): Promise<boolean> {
  const row = await database
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

const codeCount = 10;
/** 80 bits: not guessable. */
const codeLength = 16;
const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Replaces a user's recovery codes by new ones: `abcd-efgh-ijkl-mnop`. */
async function renewRecoveryCodes(write: Transaction<Schema>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, newCode);
  const rows = codes.map((code) => ({ user_id: userId, hash: sha256(code) }));
  await write.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await write.insertInto('recovery_codes').values(rows).execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, '$1-'));
}

async function countRecoveryCodes(database: Database, userId: string): Promise<number> {
  const row = await database
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Uses up a recovery code. Returns whether it was valid. */
async function takeRecoveryCode(
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

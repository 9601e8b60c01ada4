import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { problem } from '@knowhow/shared/problem';
import { sha256 } from '../../platform/lib/sha256.ts';
import { workerAddress } from '../../platform/lib/worker-address.ts';
import { createWorkerPool, PoolFull } from '../../platform/lib/worker-pool.ts';
import type { PasswordAnswer, PasswordTask } from './password-task.ts';

/**
 * Hashes and compares passwords in worker threads: each operation takes about 0.3 s of CPU time.
 * Throws `not-ready` if the queue is full.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for an unknown user (`hash` undefined) as for a wrong password, against user enumeration by
   * timing attacks. An invalid hash, or one above `maxCost`, never matches.
   *
   * @param from the client address: busy clients are queued behind others
   */
  matches(password: string, hash: string | null | undefined, from?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The last one in the queue waits about ten seconds on two processors. */
const maxQueued = 40;
const idleMs = 1000;

/** @param rounds cost factor of bcrypt (a power of two); 12 takes about 0.3 s */
export function createPasswords(rounds: number): Passwords {
  const pool = createWorkerPool<PasswordTask, PasswordAnswer>(workerAddress('password-worker'), {
    threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
    waiting: maxQueued,
    idleMs,
  });
  const run = async (task: PasswordTask, from?: string) => {
    try {
      return await pool.run(task, from);
    } catch (error) {
      throw error instanceof PoolFull ? queueFull() : error;
    }
  };
  return {
    hash: async (password) => String(await run({ kind: 'hash', text: digest(password), rounds })),
    matches: async (password, hash, from) => {
      const known = typeof hash === 'string' && isPasswordHash(hash) ? hash : undefined;
      const matches = await run(comparison(password, known ?? unmatchableHash(rounds)), from);
      return matches === true && known !== undefined;
    },
    close: pool.close,
  };
}

function queueFull() {
  return problem('not-ready', 'Too many are signing in at once. Try again in a few seconds.', {
    retryAfter: 5,
  });
}

function comparison(password: string, hash: string): PasswordTask {
  const foreign = foreignHash.exec(hash);
  return foreign
    ? { kind: 'compare', text: `${foreign[1]}:${password}`, hash: foreign[2] ?? '' }
    : { kind: 'compare', text: digest(password), hash };
}

/**
 * Wraps an iHub hash, which covers the user id and the password, so that the password still works.
 * `isForeignHash` recognizes it; the next sign-in replaces it with one of our hashes.
 */
export function markForeignHash(userId: string, hash: string): string {
  return `ihub:${userId}:${hash}`;
}

export function isForeignHash(hash: string | null | undefined): boolean {
  return foreignHash.test(hash ?? '');
}

/** Whether a string is a supported hash with an acceptable cost. */
export function isPasswordHash(hash: string): boolean {
  const [own = ''] = foreignHash.exec(hash)?.slice(2) ?? [hash];
  const cost = Number(/^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(own)?.[1]);
  return cost >= 4 && cost <= maxCost;
}

/** The message for an unsupported hash. */
export function passwordHashFault(username: string): string {
  return `The password hash of "${username}" has an unknown format, or a higher cost than ${maxCost}. Set another password on the source installation and create a new backup.`;
}

/** Takes about 1.5 s. */
const maxCost = 14;
const foreignHash = /^ihub:(.+):(\$2[^:]+)$/s;

/** Cost factor of bcrypt for new hashes: about 0.3 s. */
export const passwordRounds = 12;

/** 20 characters that are easy to distinguish: about 115 bits. */
export function randomPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');
}

/** bcrypt reads only 72 bytes; a digest makes every byte of a long password count. */
function digest(password: string): string {
  return sha256(password.normalize('NFC'), 'base64');
}

/** A hash that no password matches, with the same cost, against timing attacks. */
function unmatchableHash(rounds: number): string {
  const cost = String(rounds).padStart(2, '0');
  return `$2b$${cost}$pYsAJBkqsg7V/GjecHS8JObwsMJE5JHkoZuxEjqg/5vc07gRa3v/S`;
}

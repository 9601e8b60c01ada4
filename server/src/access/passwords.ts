import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { problem } from '@knowhow/shared/problem';
import { workerAddress } from '../lib/worker-address.ts';
import { createWorkerPool, PoolFull } from '../lib/worker-pool.ts';
import type { PasswordAnswer, PasswordTask } from './password-task.ts';

/**
 * Hashes passwords and compares them, in threads of its own: each takes a third of a second of a
 * processor. Throws `not-ready` when too many wait for that.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for an unknown user (`hash` undefined) as for a wrong password. What is no hash, or
   * would take longer than `maxCost`, fits nothing.
   *
   * @param from who asks: one who asks often waits behind others
   */
  matches(password: string, hash: string | null | undefined, from?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The last one waits for some ten seconds on two processors. */
const maxWaiting = 40;
const idleMs = 1000;

/** @param rounds the power of two of bcrypt's work; 12 takes about 0.3 s */
export function createPasswords(rounds: number): Passwords {
  const pool = createWorkerPool<PasswordTask, PasswordAnswer>(workerAddress('password-worker'), {
    threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
    waiting: maxWaiting,
    idleMs,
  });
  const run = async (task: PasswordTask, from?: string) => {
    try {
      return await pool.run(task, from);
    } catch (error) {
      throw error instanceof PoolFull ? tooMany() : error;
    }
  };
  return {
    hash: async (password) => String(await run({ kind: 'hash', text: digest(password), rounds })),
    matches: async (password, hash, from) => {
      const known = typeof hash === 'string' && isPasswordHash(hash) ? hash : undefined;
      const matches = await run(comparison(password, known ?? hashOfNothing(rounds)), from);
      return matches === true && known !== undefined;
    },
    close: pool.close,
  };
}

function tooMany() {
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
 * A hash as iHub has it, which is of the user's id and the password: marked, so that the password
 * still fits. `isForeignHash` recognises it; it is to be replaced by one of ours at the next sign-in.
 */
export function markForeignHash(userId: string, hash: string): string {
  return `ihub:${userId}:${hash}`;
}

export function isForeignHash(hash: string | null | undefined): boolean {
  return foreignHash.test(hash ?? '');
}

/** Whether something is a hash that can be checked, and in bearable time. */
export function isPasswordHash(hash: string): boolean {
  const [own = ''] = foreignHash.exec(hash)?.slice(2) ?? [hash];
  const cost = Number(/^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(own)?.[1]);
  return cost >= 4 && cost <= maxCost;
}

/** What to say of a hash that is none of those. */
export function passwordHashFault(username: string): string {
  return `The password of "${username}" is in no known format, or of a higher cost than ${maxCost}. Set another where the backup is from, and make the backup again.`;
}

/** A second and a half. */
const maxCost = 14;
const foreignHash = /^ihub:(.+):(\$2[^:]+)$/s;

/** The power of two of bcrypt's work for a password: about 0.3 s. */
export const passwordRounds = 12;

/** 20 characters that are easy to distinguish: about 115 bits. */
export function randomPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');
}

/** bcrypt reads 72 bytes only; a digest lets every byte of a long password count. */
function digest(password: string): string {
  return createHash('sha256').update(password.normalize('NFC')).digest('base64');
}

/** A hash that no password has, of the same cost. */
function hashOfNothing(rounds: number): string {
  const cost = String(rounds).padStart(2, '0');
  return `$2b$${cost}$pYsAJBkqsg7V/GjecHS8JObwsMJE5JHkoZuxEjqg/5vc07gRa3v/S`;
}

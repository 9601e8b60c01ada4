import { createHash, randomInt } from 'node:crypto';
import bcrypt from 'bcryptjs';

/** @param rounds the power of two of bcrypt's work; 12 takes about 0.3 s */
export function hashPassword(password: string, rounds: number): Promise<string> {
  return bcrypt.hash(digest(password), rounds);
}

/** Takes as long for an unknown user (`hash` undefined) as for a wrong password. */
export async function passwordMatches(
  password: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const foreign = foreignHash.exec(hash ?? '');
  const matches = foreign
    ? await bcrypt.compare(`${foreign[1]}:${password}`, foreign[2] ?? '')
    : await bcrypt.compare(digest(password), hash ?? hashOfNothing);
  return matches && typeof hash === 'string';
}

/**
 * A hash as iHub has it, which is of the user's id and the password: marked, so that the password
 * still fits. `isForeignHash` tells it; it is to be replaced by one of ours at the next sign-in.
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

const maxCost = 15;
const foreignHash = /^ihub:(.+):(\$2[^:]+)$/s;

/** The power of two of bcrypt's work for a password: about 0.3 s. */
export const passwordRounds = 12;

/** 20 characters that are easy to tell apart: about 115 bits. */
export function randomPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');
}

/** bcrypt reads 72 bytes only; a digest lets every byte of a long password count. */
function digest(password: string): string {
  return createHash('sha256').update(password.normalize('NFC')).digest('base64');
}

/** A hash that no password has, of the same cost. */
const hashOfNothing = '$2b$12$pYsAJBkqsg7V/GjecHS8JObwsMJE5JHkoZuxEjqg/5vc07gRa3v/S';

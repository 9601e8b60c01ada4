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
  const matches = await bcrypt.compare(digest(password), hash ?? hashOfNothing);
  return matches && typeof hash === 'string';
}

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

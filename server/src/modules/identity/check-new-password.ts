import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { problem } from '@knowhow/shared/problem';
import { commonPasswords } from './common-passwords.ts';

/** Words that people try first, besides the username. */
const contextWords = ['knowhow', 'admin'];

/** Throws a problem for a password that is too short or easy to guess. */
export function checkNewPassword(
  password: string,
  { username, platform }: { username: string; platform: PlatformConfig },
): void {
  const minLength = getMinPasswordLength(platform);
  if ([...password].length < minLength) {
    refuse('too-short', `A password has at least ${minLength} characters.`);
  }
  if (isCommonPassword(password)) {
    refuse('common', 'This password is one of the most common. Choose another.');
  }
  if (isOfContext(password, [...contextWords, username])) {
    refuse('context', 'This password is hardly more than a name. Choose another.');
  }
}

/** Minimum length of a new password, in characters. */
export function getMinPasswordLength({ localAuth }: PlatformConfig): number {
  return localAuth.passwordMinLength;
}

/** Throws a problem if a required password change does not change the password. */
export function checkChanged(password: string, current: string): void {
  if (password === current) {
    refuse('unchanged', 'This is the password you have already. Choose another.');
  }
}

/** Whether the password is among the 3,000 most common ones. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}

/** Whether fewer than four letters remain without such words, as in `knowhow2026!`. */
function isOfContext(password: string, words: readonly string[]): boolean {
  const text = password.toLowerCase();
  const remainder = words
    .map((word) => word.toLowerCase())
    .reduce((left, word) => left.replaceAll(word, ''), text);
  return remainder !== text && remainder.replaceAll(/\P{Letter}/gu, '').length < 4;
}

function refuse(code: string, message: string): never {
  throw problem('invalid-request', message, { issues: [{ path: 'password', code, message }] });
}

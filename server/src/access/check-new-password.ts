import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { problem } from '@knowhow/shared/problem';
import { commonPasswords } from './common-passwords.ts';

const defaultMinLength = 8;

/** Besides the user's own name: what everybody tries first here. */
const contextWords = ['knowhow', 'admin'];

/** Throws a problem for a password that is too short, or among the first that others would try. */
export function checkNewPassword(
  password: string,
  { username, platform }: { username: string; platform: PlatformConfig },
): void {
  const least = minLengthOf(platform);
  if ([...password].length < least) {
    refuse('too-short', `A password has at least ${least} characters.`);
  }
  if (isCommonPassword(password)) {
    refuse('common', 'This password is one of the most common. Choose another.');
  }
  if (isOfContext(password, [...contextWords, username])) {
    refuse('context', 'This password is hardly more than a name. Choose another.');
  }
}

/** How many characters a new password has at least. */
export function minLengthOf({ localAuth }: PlatformConfig): number {
  return localAuth?.passwordMinLength ?? defaultMinLength;
}

/** Throws a problem where somebody is to choose another password and does not. */
export function checkChanged(password: string, current: string): void {
  if (password === current) {
    refuse('unchanged', 'This is the password you have already. Choose another.');
  }
}

/** Whether it is among the 3,000 that are tried first. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}

/** Whether there are less than four letters beside such words, as in `knowhow2026!`. */
function isOfContext(password: string, words: readonly string[]): boolean {
  const text = password.toLowerCase();
  const without = words
    .map((word) => word.toLowerCase())
    .reduce((left, word) => left.replaceAll(word, ''), text);
  return without !== text && without.replaceAll(/\P{Letter}/gu, '').length < 4;
}

function refuse(code: string, message: string): never {
  throw problem('invalid-request', message, { issues: [{ path: 'password', code, message }] });
}

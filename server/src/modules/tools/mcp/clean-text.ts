import { withoutNul } from '@knowhow/shared/names';

/**
 * A text of a server, as it can be stored: without lone surrogates and NUL characters.
 *
 * @param maxLength maximum characters
 * @returns '' if it is not a text
 */
export function cleanText(text: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  return typeof text === 'string' ? withoutNul(wellFormed(text.slice(0, maxLength))) : '';
}

/** Replaces lone surrogates, which cannot be encoded. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

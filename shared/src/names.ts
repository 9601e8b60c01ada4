import { z } from 'zod';

/** Control characters and lone surrogates: `admin` with a NUL behind it would look like `admin`. */
const invisible = /[\p{Cc}\p{Cs}]/u;

/** A name of a person or thing, in one line. */
export function nameOf(maxLength: number): z.ZodString {
  return lineOf(maxLength).min(1);
}

/** The same, possibly empty. */
export function lineOf(maxLength: number): z.ZodString {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine(isPlainName, 'A name must not contain control characters. Write it in one line.');
}

/**
 * Characters that change the direction of text or are hidden. Joiners are allowed: emoji and some
 * scripts need them.
 */
const disguising =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
const hidden = new RegExp(`(?![\\n\\t])${invisible.source}|${disguising.source}`, 'gu');
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** A person's display name: visible, without characters that reorder or hide text. */
export function personName(maxLength: number): z.ZodString {
  return (
    nameOf(maxLength)
      .refine((name) => !disguising.test(name), 'A name holds no hidden characters.')
      // An empty name, or one with control characters, has been rejected already.
      .refine(
        (name) => name === '' || !isPlainName(name) || visible.test(name),
        'A name has a character that can be seen.',
      )
  );
}

/** Prose without characters that reorder or hide text, control characters and lone surrogates. */
export function withoutHiddenCharacters(text: string): string {
  return text.replace(hidden, '');
}

/** Whether a name contains only characters that can be displayed and stored. */
export function isPlainName(text: string): boolean {
  return !invisible.test(text);
}

/** Text without NUL, at which SQLite would truncate it when reading. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** The form in which names of skills are compared: without regard to case and Unicode form. */
export function plainName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

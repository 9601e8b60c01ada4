import { z } from 'zod';

/** Control characters and halves of one: `admin` with a NUL behind it would look like `admin`. */
const unseen = /[\p{Cc}\p{Cs}]/u;

/** The name of a person or a thing, in one line. */
export function nameOf(maxLength: number): z.ZodString {
  return lineOf(maxLength).min(1);
}

/** The same, or nothing. */
export function lineOf(maxLength: number): z.ZodString {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine(isPlainName, 'A name holds no control characters. Write it in one line.');
}

/** Characters that change the direction of text, or that hide. Joiners stay: emoji and scripts need them. */
const disguising =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** The name under which a person is shown: it can be seen, and it shows its characters in their order. */
export function personName(maxLength: number): z.ZodString {
  return (
    nameOf(maxLength)
      .refine((name) => !disguising.test(name), 'A name holds no hidden characters.')
      // An empty name, or one with control characters, is refused already.
      .refine(
        (name) => name === '' || !isPlainName(name) || visible.test(name),
        'A name has a character that can be seen.',
      )
  );
}

/** Whether a name has nothing in it that cannot be seen or stored. */
export function isPlainName(text: string): boolean {
  return !unseen.test(text);
}

/** Text without NUL: SQLite ends a text there when it is read back. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** What two names of a skill have in common that count as the same: without regard to case and form. */
export function plainName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

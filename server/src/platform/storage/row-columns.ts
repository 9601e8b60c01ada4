import { isPlainName, withoutNul } from '@knowhow/shared/names';
import { z } from 'zod';

export const id = z.uuid();
/** SQLite would truncate it at a NUL. */
export const text = z.string().transform(withoutNul);
export const name = z.string().refine(isPlainName, 'A name must not contain control characters.');
/** Earlier versions did not sanitize titles. */
export const title = z.string().transform((written) => written.replace(/[\p{Cc}\p{Cs}]+/gu, ' '));
export const time = z.iso.datetime();
export const json = <Value extends z.ZodType>(schema: Value) =>
  z.string().refine((value) => isJsonOf(value, schema), 'Not JSON of the expected shape.');

export const flag = z.union([z.literal(0), z.literal(1)]);

function isJsonOf(value: string, schema: z.ZodType): boolean {
  try {
    return schema.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}

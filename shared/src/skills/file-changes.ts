import { z } from 'zod';

/**
 * A run of changed lines of a text, with some around them: each begins with ' ', '+' or '-'; or with
 * '\\' where it says that the text ends without a line break.
 */
export const hunkSchema = z.object({
  /** First line, from 1, and how many there are. */
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof hunkSchema>;

/** How one file differs between two states of a folder. */
export const fileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  bytesBefore: z.number().int().optional(),
  bytesAfter: z.number().int().optional(),
  /** What the executable bit is now, where that has changed. */
  executable: z.boolean().optional(),
  /** Of text in UTF-8. Left out for other files, and for texts too long or too different to compare. */
  hunks: z.array(hunkSchema).optional(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

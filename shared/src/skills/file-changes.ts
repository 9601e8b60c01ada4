import { z } from 'zod';

/**
 * A diff hunk with context. Each line begins with ' ', '+' or '-', or with '\\' if the text ends
 * without a line break.
 */
export const hunkSchema = z.object({
  /** First line, from 1, and the number of lines. */
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof hunkSchema>;

/** How a file differs between two states of a folder. */
export const fileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  bytesBefore: z.number().int().optional(),
  bytesAfter: z.number().int().optional(),
  /** The new executable bit, if it has changed. */
  executable: z.boolean().optional(),
  /**
   * For UTF-8 text. Omitted for other files, and for texts that are too long or too different to
   * compare.
   */
  hunks: z.array(hunkSchema).optional(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** How a file differs between two versions of a skill. */
export const versionChangeSchema = fileChangeSchema.extend({
  change: z.enum(['added', 'changed', 'removed', 'renamed']),
  /** The former path of a renamed file, which has the same content. */
  pathBefore: z.string().optional(),
});
export type VersionChange = z.infer<typeof versionChangeSchema>;

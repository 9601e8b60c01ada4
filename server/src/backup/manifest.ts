import { z } from 'zod';
import { leastCompressed } from '../archives/unpack-limits.ts';
import { backupLimits } from './backup-limits.ts';

export const manifestPath = 'manifest.json';
export const manifestFormat = 'knowhow-backup';
/** Of the format; a later one may hold what this version does not know. */
export const manifestVersion = 1;

const manifestFileSchema = z.object({
  path: z.string(),
  size: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  executable: z.boolean().optional(),
});
export type ManifestFile = z.infer<typeof manifestFileSchema>;

/** Fields as the paths of their names, with points. */
const withheldSchema = z.object({ path: z.string(), fields: z.array(z.string()) });
export type Withheld = z.infer<typeof withheldSchema>;

/** `manifest.json`: what a backup says of itself. */
export const manifestSchema = z.object({
  format: z.literal(manifestFormat),
  version: z.literal(manifestVersion),
  createdAt: z.iso.datetime(),
  app: z.string().max(100),
  /** The last change of the tables that the rows are from; earlier releases did not say it. */
  migration: z.string().max(100).optional(),
  /** The parts it is of, or single items such as `skills/pdf`. What is not named stays at a restore. */
  parts: z.array(z.string().max(1000)).max(1000).optional(),
  files: z.array(manifestFileSchema),
  /** What lay there and could not be taken, and why. */
  leftOut: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** Files in which fields that hold secrets are empty. */
  withheld: z.array(withheldSchema).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The text of a manifest that is stored, not compressed, as the last in an archive. It is filled up with
 * blanks where the files before it were packed so well that the archive would look like a bomb.
 */
export function manifestText(
  manifest: Manifest,
  { produced, compressed }: { produced: number; compressed: number },
): string {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const least = leastCompressed(2 * (produced + text.length), backupLimits);
  return text.padEnd(least - compressed, ' ');
}

import { z } from 'zod';
import { minCompressedBytes } from '../skills/index.ts';
import { backupLimits } from './backup-limits.ts';

export const manifestPath = 'manifest.json';
export const manifestFormat = 'knowhow-backup';
/** Version of the format; later ones may contain unknown data. */
export const manifestVersion = 1;

const manifestFileSchema = z.object({
  path: z.string(),
  size: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  executable: z.boolean().optional(),
});
export type ManifestFile = z.infer<typeof manifestFileSchema>;

/** Fields are dotted paths. */
const withheldSchema = z.object({ path: z.string(), fields: z.array(z.string()) });
export type Withheld = z.infer<typeof withheldSchema>;

/** `manifest.json`, the description of a backup. */
export const manifestSchema = z.object({
  format: z.literal(manifestFormat),
  version: z.literal(manifestVersion),
  createdAt: z.iso.datetime(),
  app: z.string().max(100),
  /** Latest migration of the exported tables; missing in earlier versions. */
  migration: z.string().max(100).optional(),
  /** Its parts, or single items such as `skills/pdf`. Everything else is left untouched by a restore. */
  parts: z.array(z.string().max(1000)).max(1000).optional(),
  files: z.array(manifestFileSchema),
  /** Files that could not be included, and why. */
  leftOut: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** Files in which secret fields were emptied. */
  withheld: z.array(withheldSchema).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The text of a manifest, which is stored uncompressed as the last entry. It is padded with spaces if the compression
 * ratio would otherwise look like a zip bomb.
 */
export function manifestText(
  manifest: Manifest,
  { produced, compressed }: { produced: number; compressed: number },
): string {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const minLength = minCompressedBytes(2 * (produced + text.length), backupLimits);
  return text.padEnd(minLength - compressed, ' ');
}

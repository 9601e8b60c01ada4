import { z } from 'zod';

/** A SHA-256 in hex. */
export const hexDigest = z.string().regex(/^[\da-f]{64}$/);

/** The texts of a manifest: digest, mark and path. */
const manifestSchema = z.array(z.string().regex(/^[\w-]{43}[ *].{1,1024}$/s));

/** The column `manifest`, see `writeManifest`. */
export const storedManifest = z.string().refine(isManifest, 'Not a valid list of files.');

/** The column `category`. A backup without it whose release is unknown restores as content without a category. */
export const storedCategory = z.string().max(100_000).nullable().default(null);

/** The text of a column with JSON. */
export const storedJson = z.string().refine(isJson, 'Not valid JSON.');

function isManifest(written: string): boolean {
  return isJson(written) && manifestSchema.safeParse(JSON.parse(written)).success;
}

function isJson(written: string): boolean {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}

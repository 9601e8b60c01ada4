/** Maximum number of tags of a skill. */
export const maxTags = 20;

const tagPattern = /^[a-z0-9-]+$/;

/** Whether a tag is valid: lower-case letters from a to z, digits and hyphens. */
export function isTag(tag: string): boolean {
  return tagPattern.test(tag);
}

/**
 * Normalizes a tag: lower case, with hyphens for blanks. Other characters are kept, so the result
 * may be invalid.
 */
export function normalizeTag(written: string): string {
  return tagPattern.test(written)
    ? written
    : written.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
}

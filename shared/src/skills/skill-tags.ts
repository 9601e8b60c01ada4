/** A skill has at most so many. */
export const mostTags = 20;

const rule = /^[a-z0-9-]+$/;

/** Whether a tag may be written as it is: lower-case letters from a to z, digits and hyphens. */
export function isTag(tag: string): boolean {
  return rule.test(tag);
}

/**
 * The tag meant by what was written: in lower case, with hyphens for blanks. What else is in it stays, so
 * that it need not be one by the rule.
 */
export function tagOf(written: string): string {
  return rule.test(written)
    ? written
    : written.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
}

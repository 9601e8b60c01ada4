/** Of one file: what is larger would take seconds to read, and everybody would wait. */
export const maxConfigBytes = 4 * 1024 * 1024;
/** Deeper than any configuration, and far from what a stack can hold. */
const maxDepth = 64;

export const tooDeep = `More than ${maxDepth} levels deep.`;

/**
 * The value in the text of a configuration file; a byte order mark before it is no part of it.
 *
 * @throws SyntaxError when it is not JSON, or too deep
 */
export function parseConfig(text: string): unknown {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (isTooDeep(value)) {
    throw new SyntaxError(tooDeep);
  }
  return value;
}

/** Whether a value has more objects and lists within each other than a configuration may have. */
export function isTooDeep(value: unknown, levels = maxDepth): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)))
  );
}

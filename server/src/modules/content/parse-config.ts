/** Maximum size of a file; parsing a larger one would block the server for seconds. */
export const maxConfigBytes = 4 * 1024 * 1024;
/** Deeper than any real configuration, but far below a stack overflow. */
const maxDepth = 64;

export const tooDeep = `More than ${maxDepth} levels deep.`;

/**
 * Parses the text of a configuration file; ignores a byte order mark.
 *
 * @throws SyntaxError if it is not valid JSON or nested too deeply
 */
export function parseConfig(text: string): unknown {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (isTooDeep(value)) {
    throw new SyntaxError(tooDeep);
  }
  return value;
}

/** Whether a value is nested deeper than a configuration may be. */
export function isTooDeep(value: unknown, levels = maxDepth): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)))
  );
}

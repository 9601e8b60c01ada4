/** The arguments of a call as the model wrote them; the text itself when it is not JSON. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') {
    return {};
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Deeper ones are no arguments of a tool; to write them as JSON would overflow the stack. */
const maxDepth = 64;
/** Characters, and values: as long as the longest message. */
const maxSize = 100_000;

/** The arguments of a call, or none when they are too long or nest too deeply. */
export function boundedInput(input: unknown): unknown {
  let room = maxSize;
  const fits = (value: unknown, depth: number): boolean => {
    room -= typeof value === 'string' ? value.length : 1;
    if (room < 0 || depth === 0) {
      return false;
    }
    return (
      typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([key, each]) => {
        room -= key.length;
        return fits(each, depth - 1);
      })
    );
  };
  return fits(input, maxDepth) ? input : {};
}

/** The arguments as every vendor takes them back: an object, whatever the model had written. */
export function toolInputObject(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { ...input }
    : { input };
}

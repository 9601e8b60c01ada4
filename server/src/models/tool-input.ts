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

/** The arguments as every vendor takes them back: an object, whatever the model had written. */
export function toolInputObject(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { ...input }
    : { input };
}

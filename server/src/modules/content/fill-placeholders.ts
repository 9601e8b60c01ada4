import type { ReadableVariables } from './allowed-variables.ts';

/** A default must not contain braces, which keeps matching linear. */
const placeholder = /\$\{([A-Z][A-Z0-9_]*)(?::-([^{}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in all strings of a JSON value. A variable that is not set, or must not
 * be read, yields its default; without one, the placeholder stays as it is.
 */
export function fillPlaceholders(value: unknown, variables: ReadableVariables): unknown {
  if (typeof value === 'string') {
    return value.replace(
      placeholder,
      (whole, name: string, fallback: string | undefined) =>
        variables.valueOf(name) ?? fallback ?? whole,
    );
  }
  if (Array.isArray(value)) {
    return value.map((item) => fillPlaceholders(item, variables));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillPlaceholders(item, variables)]),
    );
  }
  return value;
}

/** Variables in a JSON value that must not be read, each with the first field that contains it. */
export function refusedPlaceholders(
  value: unknown,
  variables: ReadableVariables,
): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (item: unknown, path: string) => {
    if (typeof item === 'string') {
      for (const [, name = ''] of item.matchAll(placeholder)) {
        if (!found.has(name) && variables.refusal(name) !== undefined) {
          found.set(name, path);
        }
      }
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, part] of Object.entries(item)) {
        visit(part, path === '' ? key : `${path}.${key}`);
      }
    }
  };
  visit(value, '');
  return found;
}

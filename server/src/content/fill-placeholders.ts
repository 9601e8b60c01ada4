import type { ReadableVariables } from './allowed-variables.ts';

/** A default ends at a brace: so each character is looked at once, however many begin. */
const placeholder = /\$\{([A-Z][A-Z0-9_]*)(?::-([^{}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every string of a JSON value by the variable's value. A
 * name that is not set, or must not be read, gives way to its default; without one it stays as written.
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

/** The names in a JSON value that must not be read, each with the field it is in first. */
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

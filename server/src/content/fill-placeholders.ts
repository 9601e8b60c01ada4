/** Secrets have no business in a file that people read, or that a user is shown. */
const secretName = /(?:^|_)(?:KEY|PASSWORD|SECRET|TOKEN)$|^DATABASE_URL$/;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every string of a JSON value by the variable's
 * value. A name that is not set and has no default stays as it is written, and so does a secret's.
 */
export function fillPlaceholders(
  value: unknown,
  variables: Record<string, string | undefined>,
): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g,
      (whole, name: string, fallback: string | undefined) =>
        secretName.test(name) ? whole : (variables[name] ?? fallback ?? whole),
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

/** Joins space-separated scopes without duplicates. Undefined if there are none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = scopes.flatMap((scope) => wordsOf(scope));
  return words.length > 0 ? [...new Set(words)].join(' ') : undefined;
}

/** Whether all wanted scopes have been granted. */
export function coversScopes(given: string | undefined, wanted: string | undefined): boolean {
  const words = new Set(wordsOf(given));
  return wordsOf(wanted).every((word) => words.has(word));
}

function wordsOf(scope = ''): string[] {
  return scope.split(/\s+/).filter(Boolean);
}

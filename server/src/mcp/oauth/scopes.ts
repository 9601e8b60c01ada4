/** Scopes as issuers write them, separated by blanks: each once. Undefined for none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = scopes.flatMap((scope) => wordsOf(scope));
  return words.length > 0 ? [...new Set(words)].join(' ') : undefined;
}

/** Whether all of the one are among the other. */
export function coversScopes(given: string | undefined, wanted: string | undefined): boolean {
  const words = new Set(wordsOf(given));
  return wordsOf(wanted).every((word) => words.has(word));
}

function wordsOf(scope = ''): string[] {
  return scope.split(/\s+/).filter(Boolean);
}

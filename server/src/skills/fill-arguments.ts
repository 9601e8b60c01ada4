/** `$ARGUMENTS` and `$1` to `$9`, but neither `$10`, nor `$1.50` or `$5,000`. */
const placeholder = /\$(ARGUMENTS|[1-9])(?!\w|[.,]\d)/g;
/** A word, or several that quotes hold together. An apostrophe within a word is none. */
const word = /"([^"]*)"(?!\S)|'([^']*)'(?!\S)|\S+/g;

/**
 * Puts what a user wrote after `/name` into a skill's body. A placeholder for which there is nothing
 * stays as it is. Done in one pass, so that what the user wrote is never expanded itself.
 */
export function fillArguments(body: string, written: string): string {
  const whole = written.trim();
  const words = [...whole.matchAll(word)].map(([text, double, single]) => double ?? single ?? text);
  return body.replace(placeholder, (verbatim, name: string) => {
    const value = name === 'ARGUMENTS' ? whole : words[Number(name) - 1];
    return value === undefined || value === '' ? verbatim : value;
  });
}

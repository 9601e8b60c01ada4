import type { Log } from './log.ts';

const maxAtOnce = 50;

/**
 * Gives a function that warns of what is wrong now: of each thing once, until it has been right in between.
 * Of many things at once, the first are named and the rest are counted.
 *
 * @param what they are, for the count: "skills are not offered"
 */
export function logOnce(log: Log, what: string): (lines: readonly string[]) => void {
  let logged: ReadonlySet<string> = new Set();
  return (lines) => {
    const fresh = lines.filter((line) => !logged.has(line));
    logged = new Set(lines);
    for (const line of fresh.slice(0, maxAtOnce)) {
      log.warn(line);
    }
    if (fresh.length > maxAtOnce) {
      log.warn(`${fresh.length - maxAtOnce} more ${what}.`);
    }
  };
}

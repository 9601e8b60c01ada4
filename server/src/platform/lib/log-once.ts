import type { Log } from './log.ts';

const maxLines = 50;

/**
 * Returns a function that logs current problems as warnings: each once until it has been resolved.
 * If there are many, the first are named and the rest counted.
 *
 * @param what completes the count: "skills are not offered"
 */
export function logOnce(log: Log, what: string): (lines: readonly string[]) => void {
  let logged: ReadonlySet<string> = new Set();
  return (lines) => {
    const unlogged = lines.filter((line) => !logged.has(line));
    logged = new Set(lines);
    for (const line of unlogged.slice(0, maxLines)) {
      log.warn(line);
    }
    if (unlogged.length > maxLines) {
      log.warn(`${unlogged.length - maxLines} more ${what}.`);
    }
  };
}

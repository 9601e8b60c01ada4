import type { Log } from '../lib/log.ts';

const linesPerMinute = 8;
const minuteMs = 60_000;

/**
 * Warns of what goes wrong with servers, at most eight times a minute however many fail however often; how
 * many were left out is said with the first one after that.
 */
export function throttledLog(log: Log): (facts: Record<string, unknown>, line: string) => void {
  let begun = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (facts, line) => {
    if (performance.now() - begun >= minuteMs) {
      begun = performance.now();
      lines = 0;
    }
    if (lines >= linesPerMinute) {
      leftOut += 1;
      return;
    }
    lines += 1;
    log.warn(leftOut === 0 ? facts : { ...facts, leftOut }, line);
    leftOut = 0;
  };
}

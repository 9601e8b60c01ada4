import type { Log } from '../../../platform/lib/log.ts';

const linesPerMinute = 8;
const minuteMs = 60_000;

/**
 * Rate-limits warnings about servers to eight per minute. The next warning after that reports how
 * many were suppressed.
 */
export function throttledLog(log: Log): (fields: Record<string, unknown>, line: string) => void {
  let windowStart = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (fields, line) => {
    if (performance.now() - windowStart >= minuteMs) {
      windowStart = performance.now();
      lines = 0;
    }
    if (lines >= linesPerMinute) {
      leftOut += 1;
      return;
    }
    lines += 1;
    log.warn(leftOut === 0 ? fields : { ...fields, leftOut }, line);
    leftOut = 0;
  };
}

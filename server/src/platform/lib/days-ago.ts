const dayMs = 24 * 60 * 60 * 1000;

/** The time this many days ago, in milliseconds since 1970. */
export function daysAgo(days: number): number {
  return Date.now() - days * dayMs;
}

/** Days as `2026-05-04` in UTC, both inclusive. */
export interface DateRange {
  from: string;
  to: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Twelve weeks. */
const defaultDays = 84;

/** The requested range, or the last twelve weeks; never in the future. */
export function resolveRange({ from, to }: Partial<DateRange>, now: number): DateRange {
  const today = toDay(now);
  const last = to === undefined || to > today ? today : to;
  const first = from ?? toDay(Date.parse(last) - (defaultDays - 1) * dayMs);
  return { from: first > last ? last : first, to: last };
}

/** Monday of a time's week, in UTC. */
export function weekOf(time: string): string {
  const at = Date.parse(time.slice(0, 10));
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return toDay(at - sinceMonday * dayMs);
}

/** Mondays of the weeks between two, inclusive. */
export function weeksBetween(first: string, last: string): string[] {
  const weeks: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 7 * dayMs) {
    weeks.push(toDay(at));
  }
  return weeks;
}

/** The next day, as an exclusive upper bound for timestamps of the day. */
export function dayAfter(day: string): string {
  return toDay(Date.parse(day) + dayMs);
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Days as `2026-05-04`, in UTC; both belong to it. */
export interface DateRange {
  from: string;
  to: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Twelve weeks. */
const usualDays = 84;

/** What is asked for, or the last twelve weeks; but nothing that is still to come. */
export function rangeOf({ from, to }: Partial<DateRange>, now: number): DateRange {
  const today = dayOf(now);
  const last = to === undefined || to > today ? today : to;
  const first = from ?? dayOf(Date.parse(last) - (usualDays - 1) * dayMs);
  return { from: first > last ? last : first, to: last };
}

/** The Monday of a time's week, in UTC. */
export function weekOf(time: string): string {
  const at = Date.parse(time.slice(0, 10));
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return dayOf(at - sinceMonday * dayMs);
}

/** The Mondays of the weeks from one to another. */
export function weeksBetween(first: string, last: string): string[] {
  const weeks: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 7 * dayMs) {
    weeks.push(dayOf(at));
  }
  return weeks;
}

/** The day after, as the beginning of a time that sorts before all times of that day. */
export function dayAfter(day: string): string {
  return dayOf(Date.parse(day) + dayMs);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

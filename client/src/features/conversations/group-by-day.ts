/** `today`, `yesterday`, `week`, `month` (the last 7 and 30 days), or a month as `2026-03`. */
export type Period = string;

export interface DayGroup<Item> {
  period: Period;
  items: Item[];
}

/** Items, newest first, grouped by the local day of their last change. */
export function groupByDay<Item extends { updatedAt: string }>(
  items: readonly Item[],
  now: Date,
): DayGroup<Item>[] {
  const groups: DayGroup<Item>[] = [];
  for (const item of items) {
    const period = getPeriodOfDate(new Date(item.updatedAt), now);
    const last = groups.at(-1);
    if (last?.period === period) {
      last.items.push(item);
    } else {
      groups.push({ period, items: [item] });
    }
  }
  return groups;
}

function getPeriodOfDate(date: Date, now: Date): Period {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days <= 0) {
    return 'today';
  }
  if (days === 1) {
    return 'yesterday';
  }
  if (days <= 7) {
    return 'week';
  }
  if (days <= 30) {
    return 'month';
  }
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** Rounded, because days with a clock change are an hour longer or shorter. */
function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

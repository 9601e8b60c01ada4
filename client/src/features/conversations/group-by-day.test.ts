import { describe, expect, it } from 'vitest';
import { groupByDay } from './group-by-day.ts';

const now = new Date(2026, 2, 15, 0, 30);
const at = (year: number, month: number, day: number, hour = 12) => ({
  updatedAt: new Date(year, month - 1, day, hour).toISOString(),
});

describe('groupByDay', () => {
  it('groups by calendar day, not by elapsed hours', () => {
    const late = at(2026, 3, 14, 23);
    expect(groupByDay([at(2026, 3, 15, 0), late], now)).toEqual([
      { period: 'today', items: [at(2026, 3, 15, 0)] },
      { period: 'yesterday', items: [late] },
    ]);
  });

  it('groups by last week, last month, and then each month', () => {
    const items = [
      at(2026, 3, 13),
      at(2026, 3, 8),
      at(2026, 3, 7),
      at(2026, 2, 13),
      at(2026, 2, 12),
      at(2025, 12, 31),
    ];
    expect(groupByDay(items, now).map(({ period, items: { length } }) => [period, length])).toEqual(
      [
        ['week', 2],
        ['month', 2],
        ['2026-02', 1],
        ['2025-12', 1],
      ],
    );
  });

  it('counts dates in the future as today', () => {
    expect(groupByDay([at(2026, 3, 16)], now)[0]?.period).toBe('today');
  });
});

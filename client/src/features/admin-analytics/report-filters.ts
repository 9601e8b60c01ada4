import type { ReportQuery } from '@knowhow/shared/config/analytics';
import { useSearchParams } from 'react-router';

/** Days of a period, including today. */
const spans = { month: 28, quarter: 84, year: 364 } as const;

export const periods = ['month', 'quarter', 'year', 'own'] as const;
type Period = (typeof periods)[number];

/** The filters, as stored in the page's URL. */
export interface ReportFilters {
  period: Period;
  /** Days in UTC, such as `2026-03-31`, for a custom range. */
  from: string;
  to: string;
  app: string;
  group: string;
  model: string;
}

export function useReportFilters() {
  const [search, setSearch] = useSearchParams();
  const filters: ReportFilters = {
    period: periods.find((known) => known === search.get('period')) ?? 'quarter',
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
    app: search.get('app') ?? '',
    group: search.get('group') ?? '',
    model: search.get('model') ?? '',
  };
  function change(wanted: Partial<ReportFilters>) {
    const said = Object.entries({ ...filters, ...wanted }).filter(([, value]) => value);
    setSearch(new URLSearchParams(said as [string, string][]), { replace: true });
  }
  return { filters, change };
}

/** Changes the period; a custom range starts with the days shown before. */
export function getPeriod(
  value: string,
  filters: ReportFilters,
  now: Date,
): Partial<ReportFilters> {
  const period = periods.find((known) => known === value) ?? 'quarter';
  const { from = '', to = daysBefore(now, 0) } = toReportQuery(filters, now);
  return period === 'own' ? { period, from, to } : { period, from: '', to: '' };
}

/** The query parameters of the report. */
export function toReportQuery(filters: ReportFilters, now: Date): ReportQuery {
  const { period, app, group, model } = filters;
  const chosen = period === 'own' ? filters : { from: daysBefore(now, spans[period] - 1), to: '' };
  return {
    ...(chosen.from && { from: chosen.from }),
    ...(chosen.to && { to: chosen.to }),
    ...(app && { app }),
    ...(group && { group }),
    ...(model && { model }),
  };
}

function daysBefore(now: Date, days: number): string {
  const day = new Date(now);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
}

function parseDay(text: string | null): string {
  const isDay = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text);
  return isDay && !Number.isNaN(Date.parse(text)) ? text : '';
}

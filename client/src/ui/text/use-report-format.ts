import type { Costs, Thumbs } from '@knowhow/shared/config/analytics';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from './use-format.ts';

/** Formats report values in the reader's language. */
export function useReportFormat() {
  const { i18n } = useTranslation();
  return useMemo(() => createReportFormats(i18n.language), [i18n.language]);
}

function createReportFormats(spoken: string) {
  const language = localeOf(spoken);
  const number = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact' });
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const shortDay = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  // Amounts below one cent are shown, too: an answer often costs less.
  const money = (amount: number, currency: string) => {
    const digits = amount < 1 ? { maximumSignificantDigits: 2 } : {};
    return new Intl.NumberFormat(language, { style: 'currency', currency, ...digits }).format(
      amount,
    );
  };
  const share = (part: number, all: number) => (all === 0 ? '' : percent.format(part / all));
  return {
    number: (value: number) => number.format(value),
    compact: (value: number) => compact.format(value),
    /** Empty if there is no total. */
    share,
    day: (date: string) => day.format(new Date(date)),
    shortDay: (date: string) => shortDay.format(new Date(date)),
    costs: (costs: Costs) =>
      costs.map(({ amount, currency }) => money(amount, currency)).join(' + '),
    /** Share of positive ratings. */
    approval: ({ up, down }: Thumbs) => share(up, up + down),
  };
}

import type { TraceUsage } from '@knowhow/shared/traces';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/use-format.ts';

/** Writes times, tokens and costs of a trace. */
export function useTraceFormat() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => ({
      /** Milliseconds; from one second on, seconds. */
      time: (ms: number): string =>
        ms < 1000
          ? inUnit(i18n.language, 'millisecond', ms, 0)
          : inUnit(i18n.language, 'second', ms / 1000, ms < 60_000 ? 1 : 0),
      tokens({ inputTokens, cachedTokens, outputTokens }: TraceUsage): string {
        const counted = t('trace.tokensRead', {
          read: format.number(inputTokens),
          written: format.number(outputTokens),
        });
        return cachedTokens === undefined
          ? counted
          : `${counted} (${t('trace.cached', { count: cachedTokens })})`;
      },
      /** Undefined where it is not known. */
      cost: ({ cost, currency }: TraceUsage): string | undefined =>
        cost === undefined || currency === undefined
          ? undefined
          : new Intl.NumberFormat(i18n.language, {
              style: 'currency',
              currency,
              maximumSignificantDigits: 3,
            }).format(cost),
    }),
    [t, i18n.language, format],
  );
}

function inUnit(language: string, unit: string, value: number, digits: number): string {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: digits,
  }).format(value);
}

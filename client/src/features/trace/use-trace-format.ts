import type { TraceUsage } from '@knowhow/shared/traces';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, useFormat } from '../../ui/use-format.ts';

/** Writes times, tokens and costs of a trace. */
export function useTraceFormat() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const language = localeOf(i18n.language);
  return useMemo(
    () => ({
      /** Milliseconds; from one second on, seconds. */
      time: (ms: number): string =>
        ms < 1000
          ? inUnit(language, 'millisecond', ms, 0)
          : inUnit(language, 'second', ms / 1000, ms < 60_000 ? 1 : 0),
      tokens({ inputTokens, cachedTokens, outputTokens }: TraceUsage): string {
        const read = format.number(inputTokens);
        const written = format.number(outputTokens);
        return cachedTokens === undefined
          ? t('trace.tokensRead', { read, written })
          : t('trace.tokensCached', { read, cached: format.number(cachedTokens), written });
      },
      /** Undefined where it is not known. */
      cost: ({ cost, currency }: TraceUsage): string | undefined =>
        cost === undefined || currency === undefined
          ? undefined
          : new Intl.NumberFormat(language, {
              style: 'currency',
              currency,
              maximumSignificantDigits: 3,
            }).format(cost),
    }),
    [t, language, format],
  );
}

function inUnit(language: string, unit: string, value: number, digits: number): string {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: digits,
  }).format(value);
}

import type { TraceUsage } from '@knowhow/shared/chat/traces';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, useFormat } from '../../ui/text/use-format.ts';

/** Formats times, tokens and costs of a trace. */
export function useTraceFormat() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const language = localeOf(i18n.language);
  return useMemo(
    () => ({
      time: format.duration,
      tokens({ inputTokens, cachedTokens, outputTokens }: TraceUsage): string {
        const read = format.number(inputTokens);
        const written = format.number(outputTokens);
        return cachedTokens === undefined
          ? t('trace.tokensRead', { read, written })
          : t('trace.tokensCached', { read, cached: format.number(cachedTokens), written });
      },
      /** Undefined if unknown. */
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

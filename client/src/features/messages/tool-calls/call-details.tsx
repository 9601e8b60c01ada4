import { toolsApi } from '@knowhow/shared/config/tools';
import { Problem } from '@knowhow/shared/problem';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { TextBlock } from '../../../ui/text/text-block.tsx';
import { ReadingContext } from '../answer/reading-context.ts';
import classes from './call-details.module.css';
import type { SourceCallProps } from './call-props.ts';
import { isEmptyInput } from './is-empty-input.ts';

/** Arguments and result of a call. */
export function CallDetails({ call, at }: SourceCallProps) {
  const { t } = useTranslation();
  const { resultOf } = useContext(ReadingContext);
  const { input, isRunning, waitsFor } = call;
  const shared = resultOf?.(at.messageId, at.number);
  if (shared === null && isEmptyInput(input)) {
    return <p className={classes.note}>{t('toolCall.notShared')}</p>;
  }
  return (
    <div className={classes.details}>
      {isEmptyInput(input) ? (
        <p className={classes.note}>{t('toolCall.none')}</p>
      ) : (
        <TextBlock label={t('toolCall.arguments')} text={JSON.stringify(input)} />
      )}
      {isRunning ? (
        <p className={classes.note}>{t(waitsFor ? 'toolCall.waiting' : 'toolCall.running')}</p>
      ) : shared === undefined ? (
        <AskedResult at={at} />
      ) : (
        <CallResult content={shared} />
      )}
    </div>
  );
}

/** The server stores a result up to a second later. */
const mostLooks = 4;

function AskedResult({ at }: Pick<SourceCallProps, 'at'>) {
  const { t } = useTranslation();
  const result = useQuery({
    ...query(toolsApi.result, { params: { id: at.messageId, number: at.number } }),
    // Immutable, so never refetched.
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) => isMissing(error) && failures < mostLooks,
    retryDelay: 600,
  });
  if (isMissing(result.error)) {
    return <p className={classes.note}>{t('toolCall.unknownResult')}</p>;
  }
  if (result.error) {
    return <ErrorNote error={result.error} onRetry={() => result.refetch()} />;
  }
  if (!result.data) {
    return (
      <div role="status" aria-label={t('state.loading')}>
        <Skeleton height={72} radius={8} />
      </div>
    );
  }
  return <CallResult content={result.data.content} />;
}

/** @param content null if it is not shared */
function CallResult({ content }: { content: string | null }) {
  const { t } = useTranslation();
  return content ? (
    <TextBlock label={t('toolCall.result')} text={content} />
  ) : (
    <p className={classes.note}>
      {t(content === null ? 'toolCall.unknownResult' : 'toolCall.noResult')}
    </p>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

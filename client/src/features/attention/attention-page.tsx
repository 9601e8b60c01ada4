import type { AttentionReason } from '@knowhow/shared/skills/skill-attention';
import { attentionReasons, skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { pages } from '../../api/query.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './attention-page.module.css';
import { AttentionRow } from './attention-row.tsx';

interface AttentionPageProps {
  /** The page that links to it. */
  back: { to: string; label: string };
}

export const reasonTexts = {
  review: 'attention.reasons.review',
  triggers: 'attention.reasons.triggers',
  thumbs: 'attention.reasons.thumbs',
  deprecated: 'attention.reasons.deprecated',
  unused: 'attention.reasons.unused',
  'no-owner': 'attention.reasons.noOwner',
} as const satisfies Record<AttentionReason, string>;

/** Skills that need attention: the reader's own, or all for administrators. The URL keeps the filter. */
export function AttentionPage({ back }: AttentionPageProps) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const reason = attentionReasons.find((each) => each === params.get('reason'));
  const list = useInfiniteQuery({
    ...pages(skillAttentionApi.list, { query: { limit: 50, ...(reason ? { reason } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const first = list.data?.pages[0];
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const container = useRef<HTMLDivElement>(null);
  const reasons = attentionReasons
    .filter((each) => each === reason || (first?.counts[each] ?? 0) > 0)
    .map((id) => ({ id, name: `${t(reasonTexts[id])} (${first?.counts[id] ?? 0})` }));
  return (
    <PageFrame title={t('attention.title')} description={t('attention.about')} back={back}>
      {reasons.length > 0 && (
        <div className={classes.filter}>
          <IdSelect
            label={t('attention.reason')}
            all={t('attention.allReasons')}
            items={reasons}
            value={reason ?? ''}
            onChange={(id) => setParams(id === '' ? {} : { reason: id }, { replace: true })}
          />
        </div>
      )}
      <div ref={container} tabIndex={-1} className={classes.items}>
        {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
        {list.isPending && (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={176} />
          </div>
        )}
        {first && items.length === 0 && (
          <EmptyState title={t('attention.none')} text={t('attention.noneText')} />
        )}
        {items.length > 0 && (
          <ul className={cards.list} aria-label={t('attention.title')}>
            {items.map((item) => (
              <AttentionRow
                key={item.name}
                item={item}
                // The pressed button can disappear with its skill.
                onReviewed={() => container.current?.focus()}
              />
            ))}
          </ul>
        )}
      </div>
      <MoreButton list={list} />
    </PageFrame>
  );
}

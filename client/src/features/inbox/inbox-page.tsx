import cards from '../../ui/layout/item-cards.module.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { inboxApi } from '@knowhow/shared/skills/inbox';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { pages, query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { CommentNotices, ReturnedNotices } from './comment-notices.tsx';
import classes from './inbox-page.module.css';
import { InboxRow } from './inbox-row.tsx';

const filters = ['open', 'done', 'sent'] as const;

const texts = {
  open: { label: 'inbox.open', none: 'inbox.noneOpen', noneText: 'inbox.noneOpenText' },
  done: { label: 'inbox.done', none: 'inbox.noneDone', noneText: 'inbox.noneDoneText' },
  sent: { label: 'inbox.sent', none: 'inbox.noneSent', noneText: 'inbox.noneSentText' },
} as const;

const noNotices = { items: [], returned: [] };

/** Suggestions and requests about the reader's skills, and those that they have sent. The URL keeps the filter. */
export function InboxPage({ actions }: { actions?: ReactNode }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const state = filters.find((each) => each === params.get('state')) ?? 'open';
  const list = useInfiniteQuery(pages(inboxApi.list, { query: { limit: 50, state } }));
  const comments = useQuery({ ...query(inboxApi.comments, {}), staleTime: 0 });
  const { items: notices, returned } = (state === 'open' && comments.data) || noNotices;
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isKnown = list.data && (state !== 'open' || comments.data);
  const container = useRef<HTMLDivElement>(null);
  return (
    <PageFrame title={t('inbox.title')} description={t('inbox.about')} actions={actions}>
      <SegmentedControl
        className={classes.filter}
        aria-label={t('inbox.filter')}
        value={state}
        onChange={(value) => setParams(value === 'open' ? {} : { state: value }, { replace: true })}
        data={filters.map((value) => ({ value, label: t(texts[value].label) }))}
      />
      <div ref={container} tabIndex={-1} className={classes.items}>
        {comments.error && <ErrorNote error={comments.error} onRetry={() => comments.refetch()} />}
        {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
        {(list.isPending || (state === 'open' && comments.isPending)) && (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={176} />
          </div>
        )}
        <ReturnedNotices returned={returned} />
        <CommentNotices comments={notices} onRead={() => container.current?.focus()} />
        {isKnown && items.length + notices.length + returned.length === 0 && (
          <EmptyState title={t(texts[state].none)} text={t(texts[state].noneText)} />
        )}
        {items.length > 0 && (
          <ul className={cards.list} aria-label={t(texts[state].label)}>
            {items.map((item) => (
              <InboxRow
                key={item.id}
                item={item}
                isSent={state === 'sent'}
                // The pressed button disappears with its item.
                onClosed={() => container.current?.focus()}
              />
            ))}
          </ul>
        )}
      </div>
      <MoreButton list={list} />
    </PageFrame>
  );
}

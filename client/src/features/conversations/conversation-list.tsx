import { type ConversationSummary, conversationsApi } from '@knowhow/shared/conversations';
import { maxQueryLength } from '@knowhow/shared/list';
import { Button, Skeleton } from '@mantine/core';
import { useDebouncedValue, useIntersection } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pages } from '../../api/query.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import classes from './conversation-list.module.css';
import { ConversationRow } from './conversation-row.tsx';
import { groupByDay } from './group-by-day.ts';
import { usePeriodName } from './use-period-name.ts';

interface ConversationListProps {
  /** Ids of conversations that are deleted as far as the eye can see. */
  hidden: ReadonlySet<string>;
  /** Ids of conversations in which an answer is being written. */
  running: ReadonlySet<string>;
  onDelete: (conversation: ConversationSummary) => void;
}

/** The user's conversations by day, with a search over all of them. */
export function ConversationList({ hidden, running, onDelete }: ConversationListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), 250);
  const list = useInfiniteQuery({
    ...pages(conversationsApi.list, { query: asked ? { query: asked, limit: 50 } : { limit: 50 } }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = found.filter(({ id }) => !hidden.has(id));

  return (
    <>
      <div className={classes.search}>
        <IconSearch size={16} aria-hidden />
        <input
          aria-label={t('conversations.search')}
          placeholder={t('conversations.search')}
          type="search"
          value={search}
          maxLength={maxQueryLength}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <nav className={classes.list} aria-label={t('conversations.label')}>
        {list.isPending && <ListSkeleton />}
        {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
        {list.data && shown.length === 0 && (
          <p className={classes.empty}>
            {asked ? t('conversations.nothing', { query: asked }) : t('conversations.empty')}
          </p>
        )}
        <Groups conversations={shown} running={running} onDelete={onDelete} />
        {list.hasNextPage && (
          <NextPage loading={list.isFetchingNextPage} onWanted={list.fetchNextPage} />
        )}
      </nav>
    </>
  );
}

interface GroupsProps {
  conversations: ConversationSummary[];
  running: ReadonlySet<string>;
  onDelete: (conversation: ConversationSummary) => void;
}

function Groups({ conversations, running, onDelete }: GroupsProps) {
  const nameOf = usePeriodName();
  const id = useId();
  return groupByDay(conversations, new Date()).map(({ period, items }) => (
    <div key={period}>
      <p id={id + period} className={classes.period}>
        {nameOf(period)}
      </p>
      <ul className={classes.rows} aria-labelledby={id + period}>
        {items.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            running={running.has(conversation.id)}
            onDelete={onDelete}
          />
        ))}
      </ul>
    </div>
  ));
}

/** Asks for the next page when it comes into view; a button, for those who do not scroll. */
function NextPage({ loading, onWanted }: { loading: boolean; onWanted: () => void }) {
  const { t } = useTranslation();
  const { ref, entry } = useIntersection();
  const inView = entry?.isIntersecting ?? false;

  // biome-ignore lint/correctness/useExhaustiveDependencies: coming into view is the occasion
  useEffect(() => {
    if (inView && !loading) {
      onWanted();
    }
  }, [inView, loading]);

  return (
    <Button ref={ref} variant="subtle" color="gray" size="xs" loading={loading} onClick={onWanted}>
      {t('action.showMore')}
    </Button>
  );
}

function ListSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden>
      {['70%', '88%', '54%', '76%', '62%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </div>
  );
}

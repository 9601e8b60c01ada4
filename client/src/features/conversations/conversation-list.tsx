import {
  type ConversationSummary,
  conversationsApi,
  type FoundConversation,
} from '@knowhow/shared/chat/conversations';
import { maxQueryLength } from '@knowhow/shared/list';
import { Button, Skeleton } from '@mantine/core';
import { useDebouncedValue, useIntersection } from '@mantine/hooks';
import { IconArchive, IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pages, query } from '../../api/query.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useFocusSuccessor } from '../../ui/focus/use-focus-successor.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './conversation-list.module.css';
import { ConversationRow } from './conversation-row.tsx';
import { groupByDay, type Period } from './group-by-day.ts';
import type { RowsProps } from './rows-props.ts';
import { useSelection } from './use-selection.ts';

const Folders = lazyPart(async () => (await import('./folders.tsx')).Folders);
const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog);
const SelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar);

interface ConversationListProps {
  /** IDs hidden optimistically while deletion can be undone. */
  hidden: ReadonlySet<string>;
  /** IDs of conversations in which an answer is being written. */
  running: ReadonlySet<string>;
  onDelete: (conversations: ConversationSummary[]) => void;
}

/** The user's conversations by day, the archive, and a search over all of them. */
export function ConversationList({ hidden, running, onDelete }: ConversationListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), 250);
  const [isArchive, setArchive] = useState(false);
  const selection = useSelection();
  const [moving, setMoving] = useState<ConversationSummary[]>();
  const rows = { running, selection, onMove: setMoving, onDelete };
  const nav = useRef<HTMLElement>(null);
  useFocusBack(moving !== undefined);
  useFocusSuccessor(nav);
  const list = useInfiniteQuery({
    ...pages(conversationsApi.list, {
      query: { limit: 50, ...(asked ? { query: asked } : archiveFilter(isArchive)) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = found.filter(({ id }) => !hidden.has(id));

  return (
    <>
      {selection.chosen ? (
        <Suspense>
          <SelectionBar
            chosen={[...selection.chosen.values()]}
            onDelete={onDelete}
            onMove={() => setMoving([...(selection.chosen?.values() ?? [])])}
            onEnd={selection.end}
          />
        </Suspense>
      ) : (
        <SearchField value={search} onChange={setSearch} />
      )}
      <nav
        ref={nav}
        className={classes.list}
        aria-label={t(isArchive ? 'conversations.archived' : 'conversations.label')}
        onKeyDown={selection.onKeyDown}
      >
        {isArchive && !asked && (
          <ViewButton icon={<IconArrowLeft size={16} />} onClick={() => setArchive(false)}>
            {t('conversations.toAll')}
          </ViewButton>
        )}
        {!isArchive && !asked && (
          <Suspense>
            <Folders {...{ hidden, rows }} />
          </Suspense>
        )}
        {list.isPending && <ListSkeleton />}
        {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
        {list.data && shown.length === 0 && (
          <p className={classes.empty}>
            {asked
              ? t('conversations.nothing', { query: asked })
              : t(isArchive ? 'conversations.noneArchived' : 'conversations.empty')}
          </p>
        )}
        <Groups conversations={shown} rows={rows} />
        {list.hasNextPage && (
          <NextPage loading={list.isFetchingNextPage} onWanted={list.fetchNextPage} />
        )}
        {!isArchive && !asked && !selection.chosen && list.data && !list.hasNextPage && (
          <ArchiveButton onClick={() => setArchive(true)} />
        )}
      </nav>
      {moving && (
        <Suspense>
          <MoveDialog
            conversations={moving}
            onMoved={selection.end}
            onClose={() => setMoving(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

function archiveFilter(isArchive: boolean) {
  return isArchive ? { archived: 'true' as const } : { folder: '' as const };
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.search}>
      <IconSearch size={16} aria-hidden />
      <input
        aria-label={t('conversations.search')}
        placeholder={t('conversations.search')}
        type="search"
        value={value}
        maxLength={maxQueryLength}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

interface ViewButtonProps {
  icon: ReactNode;
  onClick: () => void;
  children: string;
}

/** Switches between the list and the archive. */
function ViewButton({ icon, onClick, children }: ViewButtonProps) {
  return (
    <button type="button" className={classes.view} onClick={onClick}>
      {icon}
      {children}
    </button>
  );
}

/** Link to the archive, if it is not empty. */
function ArchiveButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const archive = useQuery(query(conversationsApi.list, { query: { limit: 1, archived: 'true' } }));
  return archive.data?.total ? (
    <ViewButton icon={<IconArchive size={16} />} onClick={onClick}>
      {t('conversations.archived')}
    </ViewButton>
  ) : null;
}

interface GroupsProps {
  conversations: FoundConversation[];
  rows: RowsProps;
}

function Groups({ conversations, rows: { running, ...row } }: GroupsProps) {
  const nameOf = usePeriodName();
  const id = useId();
  const pinned = conversations.filter(({ isPinned }) => isPinned);
  const rest = conversations.filter(({ isPinned }) => !isPinned);
  const top = pinned.length > 0 ? [{ period: 'pinned', items: pinned }] : [];
  return [...top, ...groupByDay(rest, new Date())].map(({ period, items }) => (
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
            {...row}
          />
        ))}
      </ul>
    </div>
  ));
}

/** Loads the next page when it scrolls into view; also a button, for keyboard users. */
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

function usePeriodName(): (period: Period) => string {
  const { t, i18n } = useTranslation();
  return (period) => {
    switch (period) {
      case 'pinned':
        return t('conversations.pinned');
      case 'today':
        return t('conversations.today');
      case 'yesterday':
        return t('conversations.yesterday');
      case 'week':
        return t('conversations.week');
      case 'month':
        return t('conversations.month');
      default: {
        const format = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric' });
        return format.format(new Date(`${period}-15T12:00:00`));
      }
    }
  };
}

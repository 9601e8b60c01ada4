import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { Button, Skeleton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { pages } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useBinText } from '../../ui/use-bin-text.ts';
import { BinFailures } from './bin-failures.tsx';
import { BinList } from './bin-list.tsx';
import classes from './bin-page.module.css';
import { RemoveDialog, type Removing } from './remove-dialog.tsx';
import { useBin } from './use-bin.ts';

/** Deleted skills: they can be restored until their time has ended. The URL keeps the search. */
export function BinPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const search = params.get('query') ?? '';
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<Removing>();
  const container = useRef<HTMLDivElement>(null);
  const list = useInfiniteQuery({
    ...pages(skillBinApi.list, { query: { limit: 50, ...(search ? { query: search } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const first = list.data?.pages[0];
  const items = list.data?.pages.flatMap((page) => page.items);
  const { change, failed, forget } = useBin((done) => {
    setChosen((names) => new Set([...names].filter((name) => !done.includes(name))));
    setRemoving(undefined);
    // The pressed button disappears with its skill.
    container.current?.focus();
  });
  const restore = (names: readonly string[], reason?: string) =>
    change.mutate({ deed: 'restore', names, reason });
  const close = () => {
    setRemoving(undefined);
    change.reset();
  };
  const newest = search === '' ? first?.items[0] : undefined;
  return (
    <PageFrame
      title={t('skillBin.title')}
      description={useBinText()}
      back={{ to: '/admin/skills', label: t('skillPage.back') }}
      actions={
        newest && (
          <EmptyButton
            isDisabled={change.isPending}
            onClick={() =>
              setRemoving({ deed: 'empty', until: newest.deletedAt, count: first?.all ?? 0 })
            }
          />
        )
      }
    >
      <div className={classes.filter}>
        <SearchField
          label={t('skillBin.search')}
          value={search}
          onChange={(query) => setParams(query === '' ? {} : { query }, { replace: true })}
        />
      </div>
      <BinFailures failed={failed} isBusy={change.isPending} onRestore={restore} onClose={forget} />
      {change.error && !removing && <ErrorNote error={change.error} />}
      <div ref={container} tabIndex={-1} className={classes.items}>
        {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
        {list.isPending && <Loading />}
        {items?.length === 0 && <NothingFound search={search} />}
        {items && items.length > 0 && (
          <BinList
            items={items}
            chosen={chosen}
            isBusy={change.isPending}
            onChoose={setChosen}
            onRestore={(skills) => restore(skills.map(({ name }) => name))}
            onRemove={(skills) => setRemoving({ deed: 'remove', skills })}
          />
        )}
      </div>
      <MoreButton list={list} />
      <RemoveDialog
        removing={removing}
        isBusy={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={change.mutate}
      />
    </PageFrame>
  );
}

function NothingFound({ search }: { search: string }) {
  const { t } = useTranslation();
  return search === '' ? (
    <EmptyState title={t('skillBin.none')} text={t('skillBin.noneText')} />
  ) : (
    <EmptyState title={t('skillBin.nothing', { search })} text={t('skillBin.nothingText')} />
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('state.loading')}>
      <Skeleton height={176} />
    </div>
  );
}

function EmptyButton({ isDisabled, onClick }: { isDisabled: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} aria-hidden />}
      disabled={isDisabled}
      onClick={onClick}
    >
      {t('skillBin.empty')}
    </Button>
  );
}

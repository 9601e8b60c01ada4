import { type AuditEntry, adminApi, auditKinds } from '@knowhow/shared/admin';
import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { pages } from '../../api/query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import classes from './audit-list.module.css';
import { AuditRow } from './audit-row.tsx';

/** What admins did, the newest first. */
export function AuditList() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const kind = auditKinds.find((known) => known === search.get('kind'));
  const list = useInfiniteQuery(
    pages(adminApi.audit, { query: { limit: 50, ...(kind && { kind }) } }),
  );
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];

  return (
    <PageFrame title={t('audit.title')} description={t('audit.about')}>
      <div className={classes.filters}>
        <NativeSelect
          aria-label={t('audit.filter')}
          value={kind ?? ''}
          data={[
            { value: '', label: t('audit.everything') },
            ...auditKinds.map((value) => ({ value, label: t(kindNames[value]) })),
          ]}
          onChange={({ currentTarget: { value } }) => setSearch(value ? { kind: value } : {})}
        />
      </div>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton height={176} />}
      {list.data && entries.length === 0 && (
        <EmptyState title={t('audit.empty')} text={t('audit.emptyAbout')} />
      )}
      <ol className={classes.list}>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} kindName={t(kindNames[entry.kind])} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button
          className={classes.more}
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          {t('audit.more')}
        </Button>
      )}
    </PageFrame>
  );
}

const kindNames = {
  skill: 'audit.kinds.skill',
  app: 'audit.kinds.app',
  group: 'audit.kinds.group',
  model: 'audit.kinds.model',
  prompt: 'audit.kinds.prompt',
  user: 'audit.kinds.user',
  session: 'audit.kinds.session',
  backup: 'audit.kinds.backup',
} as const satisfies Record<AuditEntry['kind'], string>;

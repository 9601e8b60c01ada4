import { adminApi } from '@knowhow/shared/config/admin';
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pages } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { isNarrowed, kindNames, toAuditQuery, useAuditFilters } from './audit-filters.ts';
import classes from './audit-list.module.css';
import { AuditRow } from './audit-row.tsx';

/** The audit log, newest first. */
export function AuditList() {
  const { t } = useTranslation();
  const { filters, change } = useAuditFilters();
  const list = useInfiniteQuery({
    ...pages(adminApi.audit, { query: { limit: 50, ...toAuditQuery(filters) } }),
    placeholderData: keepPreviousData,
  });
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];

  return (
    <PageFrame title={t('adminPages.audit')} description={t('audit.about')}>
      <AuditFilterBar filters={filters} onChange={change} />
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton height={176} />}
      {list.data && entries.length === 0 && (
        <EmptyState
          title={t(isNarrowed(filters) ? 'audit.nothing' : 'audit.empty')}
          text={t(isNarrowed(filters) ? 'audit.nothingAbout' : 'audit.emptyAbout')}
        />
      )}
      <ol className={classes.list}>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} kindName={t(kindNames[entry.kind])} />
        ))}
      </ol>
      <MoreButton list={list} />
    </PageFrame>
  );
}

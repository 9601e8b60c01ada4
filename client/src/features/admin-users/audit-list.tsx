import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { adminApi, auditKinds } from '@knowhow/shared/config/admin';
import { NativeSelect, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems, pages } from '../../api/query.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { DayRange } from '../../ui/layout/day-range.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import {
  type AuditFilters,
  isNarrowed,
  kindNames,
  toAuditQuery,
  useAuditFilters,
} from './audit-filters.ts';
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

interface AuditFilterBarProps {
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}

/** Filters of the audit log: words, kind, user, days. */
function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const { t } = useTranslation();
  const mayKnow = useRight('users');
  const users = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: mayKnow });
  return (
    <div className={classes.filters}>
      <SearchField
        label={t('audit.search')}
        value={filters.query}
        onChange={(query) => onChange({ query })}
      />
      <NativeSelect
        aria-label={t('audit.filter')}
        value={filters.kind ?? ''}
        data={[
          { value: '', label: t('audit.everything') },
          ...auditKinds.map((value) => ({ value, label: t(kindNames[value]) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ kind: auditKinds.find((kind) => kind === value) })
        }
      />
      {mayKnow && (
        <IdSelect
          label={t('audit.by')}
          all={t('audit.everybody')}
          items={users.data}
          value={filters.user}
          onChange={(user) => onChange({ user })}
        />
      )}
      <DayRange from={filters.from} to={filters.to} onChange={onChange} />
    </div>
  );
}

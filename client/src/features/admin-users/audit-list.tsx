import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { type AuditEntry, adminApi, auditKinds } from '@knowhow/shared/config/admin';
import { maxQueryLength } from '@knowhow/shared/list';
import { NativeSelect, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import { allItems, pages } from '../../api/query.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { DayRange } from '../../ui/layout/day-range.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
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

/** The filters of the audit log, as stored in the page's URL. */
interface AuditFilters {
  query: string;
  kind: AuditEntry['kind'] | undefined;
  /** User ID of the actor. */
  user: string;
  /** Days in the reader's time zone, such as `2026-03-31`; both inclusive. */
  from: string;
  to: string;
}

function useAuditFilters() {
  const [search, setSearch] = useSearchParams();
  const filters: AuditFilters = {
    query: search.get('query')?.slice(0, maxQueryLength) ?? '',
    kind: auditKinds.find((known) => known === search.get('kind')),
    user: search.get('user') ?? '',
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
  };
  function change(wanted: Partial<AuditFilters>) {
    const said = Object.entries({ ...filters, ...wanted }).filter(([, value]) => value);
    setSearch(new URLSearchParams(said as [string, string][]), { replace: true });
  }
  return { filters, change };
}

/** The query parameters for the server. */
function toAuditQuery(filters: AuditFilters): Partial<z.input<typeof adminApi.audit.query>> {
  const { query, kind, user, from, to } = filters;
  return {
    ...(query && { query }),
    ...(kind && { kind }),
    ...(user && { user }),
    ...(from && { from: getStartOfDay(from, 0) }),
    ...(to && { to: getStartOfDay(to, 1) }),
  };
}

function isNarrowed(filters: AuditFilters): boolean {
  return Object.values(filters).some(Boolean);
}

/** A valid calendar day; undefined otherwise. */
function parseDay(text: string | null): string {
  const isDay = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text);
  return isDay && !Number.isNaN(new Date(`${text}T00:00`).getTime()) ? text : '';
}

/** Start of a local day, plus an offset in days. */
function getStartOfDay(day: string, later: number): string {
  const moment = new Date(`${day}T00:00`);
  moment.setDate(moment.getDate() + later);
  return moment.toISOString();
}

const kindNames = {
  skill: 'audit.kinds.skill',
  app: 'audit.kinds.app',
  group: 'audit.kinds.group',
  model: 'audit.kinds.model',
  prompt: 'audit.kinds.prompt',
  user: 'audit.kinds.user',
  session: 'audit.kinds.session',
  connection: 'audit.kinds.connection',
  key: 'audit.kinds.key',
  backup: 'audit.kinds.backup',
  tool: 'audit.kinds.tool',
  share: 'audit.kinds.share',
  settings: 'audit.kinds.settings',
  access: 'audit.kinds.access',
  conversation: 'audit.kinds.conversation',
} as const satisfies Record<AuditEntry['kind'], string>;

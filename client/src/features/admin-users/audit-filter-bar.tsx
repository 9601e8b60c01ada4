import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { auditKinds } from '@knowhow/shared/config/admin';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { DayRange } from '../../ui/layout/day-range.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { useRight } from '../../ui/rights.ts';
import { type AuditFilters, kindNames } from './audit-filters.ts';
import classes from './audit-list.module.css';

interface AuditFilterBarProps {
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}

/** Filters of the audit log: words, kind, user, days. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
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

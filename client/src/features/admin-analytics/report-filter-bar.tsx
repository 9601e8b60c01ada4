import { Button, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { IdSelect } from '../../ui/id-select.tsx';
import { DayRange } from '../../ui/layout/day-range.tsx';
import { useConfigItems } from '../../ui/use-config-items.ts';
import classes from './report-filter-bar.module.css';
import { getPeriod, periods, type ReportFilters } from './report-filters.ts';

interface ReportFilterBarProps {
  filters: ReportFilters;
  onChange: (change: Partial<ReportFilters>) => void;
  /** URL of the same figures as CSV. */
  tableAddress: string;
}

const periodNames = {
  month: 'analytics.period.month',
  quarter: 'analytics.period.quarter',
  year: 'analytics.period.year',
  own: 'analytics.period.own',
} as const;

/** Filters: period, app, group, model. */
export function ReportFilterBar({ filters, onChange, tableAddress }: ReportFilterBarProps) {
  const { t } = useTranslation();
  const apps = useConfigItems('apps');
  const groups = useConfigItems('groups');
  const models = useConfigItems('models');
  return (
    <div className={classes.filters}>
      <NativeSelect
        aria-label={t('analytics.period.label')}
        value={filters.period}
        data={periods.map((value) => ({ value, label: t(periodNames[value]) }))}
        onChange={({ currentTarget: { value } }) => onChange(getPeriod(value, filters, new Date()))}
      />
      {filters.period === 'own' && (
        <DayRange from={filters.from} to={filters.to} onChange={onChange} />
      )}
      <IdSelect
        label={t('analytics.app')}
        all={t('analytics.allApps')}
        items={apps.data}
        value={filters.app}
        onChange={(app) => onChange({ app })}
      />
      <IdSelect
        label={t('analytics.group')}
        all={t('analytics.allGroups')}
        items={groups.data}
        value={filters.group}
        onChange={(group) => onChange({ group })}
      />
      <IdSelect
        label={t('analytics.model')}
        all={t('analytics.allModels')}
        items={models.data}
        value={filters.model}
        onChange={(model) => onChange({ model })}
      />
      <Button
        className={classes.download}
        component="a"
        href={tableAddress}
        download
        variant="default"
        leftSection={<IconDownload size={17} aria-hidden />}
      >
        {t('analytics.csv')}
      </Button>
    </div>
  );
}

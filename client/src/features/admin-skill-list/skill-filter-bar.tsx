import type { adminSkillListSchema } from '@knowhow/shared/admin-skill';
import { skillStatuses } from '@knowhow/shared/admin-skill';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SearchField } from '../../ui/search-field.tsx';
import { useFormat } from '../../ui/use-format.ts';
import classes from './skill-filter-bar.module.css';
import type { SkillFilters } from './skill-filters.ts';
import { sourceNames } from './source-names.ts';

interface SkillFilterBarProps {
  filters: SkillFilters;
  /** What there is to choose from; not known before the first answer. */
  facets: z.infer<typeof adminSkillListSchema>['facets'] | undefined;
  onChange: (changed: Partial<SkillFilters>) => void;
}

/** The search and the filters, in one line. */
export function SkillFilterBar({ filters, facets, onChange }: SkillFilterBarProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const statuses = skillStatuses.map((status) => ({
    value: status,
    label: facets
      ? t('skillList.counted', {
          what: t(statusNames[status]),
          count: number(facets.statuses[status]),
        })
      : t(statusNames[status]),
  }));
  const sources = (facets?.sources ?? []).map((source) => ({
    value: source,
    label: t(sourceNames[source]),
  }));
  return (
    <div className={classes.bar}>
      <SearchField
        label={t('skillList.search')}
        value={filters.query}
        onChange={(query) => onChange({ query })}
      />
      <div className={classes.filters}>
        <Filter
          label={t('skillList.source')}
          value={filters.source}
          options={sources}
          onChange={(source) => onChange({ source })}
        />
        <Filter
          label={t('skillList.status')}
          value={filters.status}
          options={statuses}
          onChange={(status) => onChange({ status })}
        />
        <Filter
          label={t('skillList.category')}
          value={filters.category}
          options={textOptions(facets?.categories)}
          onChange={(category) => onChange({ category })}
        />
        <Filter
          label={t('skillList.tag')}
          value={filters.tag}
          options={textOptions(facets?.tags)}
          onChange={(tag) => onChange({ tag })}
        />
      </div>
    </div>
  );
}

interface FilterProps<Value extends string> {
  label: string;
  value: Value | undefined;
  options: { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
}

function Filter<Value extends string>({ label, value, options, onChange }: FilterProps<Value>) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      disabled={options.length === 0}
      searchable={options.length > 12}
      clearable
      clearSectionMode="clear"
      clearButtonProps={{ 'aria-label': t('skillList.clearFilter', { label }) }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', shadow: 'sm' }}
      classNames={{ input: classes.input, dropdown: classes.dropdown }}
    />
  );
}

function textOptions(texts: string[] = []) {
  return texts.map((text) => ({ value: text, label: text }));
}

const statusNames = {
  on: 'status.on',
  off: 'status.off',
  broken: 'status.broken',
  shadowed: 'status.shadowed',
} as const;

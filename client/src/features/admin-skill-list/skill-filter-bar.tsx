import type { adminSkillListSchema } from '@knowhow/shared/admin-skill';
import { skillStatuses } from '@knowhow/shared/admin-skill';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SearchField } from '../../ui/search-field.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { FacetFilter } from './facet-filter.tsx';
import { SelectFilter } from './select-filter.tsx';
import classes from './skill-filter-bar.module.css';
import type { SkillFilters } from './skill-filters.ts';
import { sourceNames } from './source-names.ts';

interface SkillFilterBarProps {
  filters: SkillFilters;
  /** What there is to choose from; not known before the first answer. */
  facets: z.infer<typeof adminSkillListSchema>['facets'] | undefined;
  onChange: (changed: Partial<SkillFilters>) => void;
  /** What is at the end of the line. */
  children?: ReactNode;
}

/** The search and the filters, in one line. */
export function SkillFilterBar({ filters, facets, onChange, children }: SkillFilterBarProps) {
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
        <SelectFilter
          label={t('skillList.source')}
          value={filters.source}
          options={sources}
          onChange={(source) => onChange({ source })}
        />
        <SelectFilter
          label={t('skillList.status')}
          value={filters.status}
          options={statuses}
          onChange={(status) => onChange({ status })}
        />
        <FacetFilter
          field="category"
          label={t('skillList.category')}
          value={filters.category}
          frequent={facets?.categories ?? []}
          onChange={(category) => onChange({ category })}
        />
        <FacetFilter
          field="tag"
          label={t('skillList.tag')}
          value={filters.tag}
          frequent={facets?.tags ?? []}
          onChange={(tag) => onChange({ tag })}
        />
        {(filters.tool !== undefined || (facets && facets.tools.length > 0)) && (
          <FacetFilter
            field="tool"
            label={t('skillList.tool')}
            value={filters.tool}
            frequent={facets?.tools ?? []}
            onChange={(tool) => onChange({ tool })}
          />
        )}
      </div>
      {children}
    </div>
  );
}

const statusNames = {
  on: 'status.on',
  off: 'status.off',
  broken: 'status.broken',
  shadowed: 'status.shadowed',
} as const;

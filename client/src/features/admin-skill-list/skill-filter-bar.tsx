import type { adminSkillListSchema } from '@knowhow/shared/skills/admin-skill';
import { skillProblems, skillStatuses } from '@knowhow/shared/skills/admin-skill';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { FacetFilter } from './facet-filter.tsx';
import { SelectFilter } from './select-filter.tsx';
import classes from './skill-filter-bar.module.css';
import { countActiveFilters, type SkillFilters } from './skill-filters.ts';
import { sourceNames } from './source-names.ts';

interface FiltersProps {
  filters: SkillFilters;
  /** The available filter values; undefined before the first response. */
  facets: z.infer<typeof adminSkillListSchema>['facets'] | undefined;
  apps: { id: string; name: string }[];
  onChange: (changed: Partial<SkillFilters>) => void;
}

interface SkillFilterBarProps extends FiltersProps {
  /** The filters are behind a button. */
  isFolded: boolean;
  /** Content at the end of the row. */
  children?: ReactNode;
}

/** Search and filters in one row. */
export function SkillFilterBar({ isFolded, children, ...props }: SkillFilterBarProps) {
  const { t } = useTranslation();
  const { filters, onChange } = props;
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure();
  const count = countActiveFilters(filters);
  return (
    <div className={classes.bar}>
      <SearchField
        label={t('skillList.search')}
        value={filters.query}
        onChange={(query) => onChange({ query })}
      />
      {isFolded && (
        <Button
          className={classes.unfold}
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconAdjustmentsHorizontal size={17} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          {count > 0 ? t('skillList.filtersChosen', { count }) : t('skillList.filters')}
        </Button>
      )}
      <div id={id} className={classes.filters} hidden={isFolded && !isOpen}>
        <KindFilters {...props} />
        <LabelFilters {...props} />
      </div>
      {children}
    </div>
  );
}

/** Filters by Knowhow's own data. */
function KindFilters({ filters, facets, apps, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const counted = (what: string, count: number | undefined) =>
    count === undefined ? what : t('skillList.counted', { what, count: number(count) });
  const statuses = skillStatuses.map((value) => ({
    value,
    label: counted(t(statusNames[value]), facets?.statuses[value]),
  }));
  const problems = skillProblems.map((value) => ({
    value,
    label: counted(t(problemNames[value]), facets?.problems[value]),
  }));
  const sources = (facets?.sources ?? []).map((value) => ({
    value,
    label: t(sourceNames[value]),
  }));
  return (
    <>
      {(sources.length > 1 || filters.source !== undefined) && (
        <SelectFilter
          label={t('skillList.source')}
          value={filters.source}
          options={sources}
          onChange={(source) => onChange({ source })}
        />
      )}
      <SelectFilter
        label={t('skillList.status')}
        value={filters.status}
        options={statuses}
        onChange={(status) => onChange({ status })}
      />
      <SelectFilter
        label={t('skillList.diagnostics')}
        value={filters.problems}
        options={problems}
        onChange={(chosen) => onChange({ problems: chosen })}
      />
      <SelectFilter
        label={t('skillList.app')}
        value={filters.app}
        options={apps.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(app) => onChange({ app })}
      />
    </>
  );
}

/** Filters by the skills' own metadata. */
function LabelFilters({ filters, facets, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}

const statusNames = {
  on: 'status.on',
  off: 'status.off',
  blocked: 'status.blocked',
  broken: 'status.broken',
  shadowed: 'status.shadowed',
} as const;

const problemNames = {
  errors: 'skillList.withErrors',
  warnings: 'skillList.withWarnings',
} as const;

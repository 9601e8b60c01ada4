import {
  maxFacets,
  type SkillFacet,
  type skillFacetFields,
} from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { SelectFilter } from './select-filter.tsx';
import classes from './skill-filter-bar.module.css';

interface FacetFilterProps {
  field: (typeof skillFacetFields)[number];
  label: string;
  value: string | undefined;
  /** The most frequent values; if there may be more, they are searched on the server. */
  frequent: readonly SkillFacet[];
  onChange: (value: string | undefined) => void;
}

/** A filter with possibly thousands of values, each with its number of skills. */
export function FacetFilter({ field, label, value, frequent, onChange }: FacetFilterProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 200);
  const hasMore = frequent.length >= maxFacets;
  const found = useQuery({
    ...query(adminSkillsApi.facets, { query: { field, query: asked, limit: maxFacets } }),
    enabled: hasMore && asked !== '' && asked !== value,
  });
  const facets = unique([...frequent, ...(found.data?.items ?? [])]);
  const counts = new Map(facets.map((each) => [each.value, each.count]));
  const values = value === undefined || counts.has(value) ? [] : [value];
  const options = [...values, ...counts.keys()].map((each) => ({ value: each, label: each }));
  const more = { value: '', label: t('skillList.typeForMore'), disabled: true };
  return (
    <SelectFilter
      label={label}
      value={value}
      options={hasMore ? [...options, more] : options}
      onChange={onChange}
      onSearchChange={setTyped}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span className={classes.value}>{option.label}</span>{' '}
          {counts.has(option.value) && (
            <span className={classes.count}>{number(counts.get(option.value) ?? 0)}</span>
          )}
        </span>
      )}
    />
  );
}

function unique(facets: readonly SkillFacet[]): SkillFacet[] {
  return [...new Map(facets.map((facet) => [facet.value, facet])).values()];
}

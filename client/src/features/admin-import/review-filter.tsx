import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IdSelect } from '../../ui/id-select.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import {
  filterReports,
  isWorthInstalling,
  type ReportFilter,
  reportStates,
} from './filter-reports.ts';
import classes from './review-filter.module.css';

interface ReviewFilterProps {
  skills: readonly SkillReport[];
  filter: ReportFilter;
  /** The skills that pass the filter. */
  shown: readonly SkillReport[];
  onFilter: (filter: ReportFilter) => void;
  /** Selects the shown skills, or skips them. */
  onChooseAll: (action: 'select' | 'skip') => void;
}

/** Finds skills in a long import, and decides about all that are shown. */
export function ReviewFilter({ skills, filter, shown, onFilter, onChooseAll }: ReviewFilterProps) {
  const { t } = useTranslation();
  const states = ([...reportStates, 'findings'] as const)
    .map((id) => ({ id, count: filterReports(skills, { text: '', state: id }).length }))
    .filter(({ id, count }) => count > 0 || id === filter.state);
  const worthIt = shown.filter(isWorthInstalling).length;
  return (
    <div className={classes.filter}>
      <SearchField
        label={t('skillImport.search')}
        value={filter.text}
        onChange={(text) => onFilter({ ...filter, text })}
      />
      <IdSelect
        label={t('skillImport.state')}
        all={t('skillImport.allStates', { count: skills.length })}
        items={states.map(({ id, count }) => ({ id, name: t(stateTexts[id], { count }) }))}
        value={filter.state}
        onChange={(chosen) =>
          onFilter({ ...filter, state: states.find(({ id }) => id === chosen)?.id ?? '' })
        }
      />
      <div className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          disabled={worthIt === 0}
          onClick={() => onChooseAll('select')}
        >
          {t('skillImport.selectShown', { count: worthIt })}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={shown.length === 0}
          onClick={() => onChooseAll('skip')}
        >
          {t('skillImport.skipShown', { count: shown.length })}
        </Button>
      </div>
    </div>
  );
}

const stateTexts = {
  new: 'skillImport.states.new',
  changed: 'skillImport.states.changed',
  identical: 'skillImport.states.identical',
  needsReview: 'skillImport.states.needsReview',
  rejected: 'skillImport.states.rejected',
  findings: 'skillImport.states.findings',
} as const;

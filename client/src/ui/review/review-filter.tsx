import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IdSelect } from '../id-select.tsx';
import { SearchField } from '../layout/search-field.tsx';
import classes from './review-filter.module.css';
import type { Review } from './use-review.ts';

interface ReviewFilterProps<Item, State extends string> {
  review: Review<Item, State>;
  /** The name of a group, with its number of items. */
  getName: (state: State, count: number) => string;
  /** How many of the shown items can be selected. */
  selectable: number;
  /** The selected items. Those that the filter hides are counted. */
  selected: readonly Item[];
  /** Selects the shown items, or skips them. */
  onChooseAll: (action: 'select' | 'skip') => void;
  /** Further decisions about all that are shown. */
  children?: ReactNode;
}

/** Finds items in a long review, and decides about all that are shown. */
export function ReviewFilter<Item, State extends string>({
  review: { filter, setFilter, counts, shown, total },
  getName,
  selectable,
  selected,
  onChooseAll,
  children,
}: ReviewFilterProps<Item, State>) {
  const { t } = useTranslation();
  const visible = new Set(shown);
  const hidden = selected.filter((item) => !visible.has(item)).length;
  return (
    <div className={classes.filter}>
      <SearchField
        label={t('skillImport.search')}
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
      />
      <IdSelect
        label={t('skillImport.state')}
        all={t('skillImport.allStates', { count: total })}
        items={counts.map(({ id, count }) => ({ id, name: getName(id, count) }))}
        value={filter.state}
        onChange={(chosen) =>
          setFilter({ ...filter, state: counts.find(({ id }) => id === chosen)?.id ?? '' })
        }
      />
      <div className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          disabled={selectable === 0}
          onClick={() => onChooseAll('select')}
        >
          {t('skillImport.selectShown', { count: selectable })}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={shown.length === 0}
          onClick={() => onChooseAll('skip')}
        >
          {t('skillImport.skipShown', { count: shown.length })}
        </Button>
        {children}
      </div>
      <p className={classes.hidden} role="status">
        {hidden > 0 && t('skillImport.hiddenSelected', { count: hidden })}
      </p>
    </div>
  );
}

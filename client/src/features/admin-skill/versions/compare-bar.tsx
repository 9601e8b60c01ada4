import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './compare-bar.module.css';
import type { Compared } from './version-comparison.tsx';

interface CompareBarProps {
  ref: Ref<HTMLDivElement>;
  /** Numbers of versions, at most two. */
  selected: readonly number[];
  onCompare: (compared: Compared) => void;
  onClear: () => void;
}

/** Says how to compare two versions, and compares the selected ones. */
export function CompareBar({ ref, selected, onCompare, onClear }: CompareBarProps) {
  const { t } = useTranslation();
  const [from, to] = selected.toSorted((one, other) => one - other);
  return (
    <div ref={ref} className={classes.bar} tabIndex={-1}>
      {from !== undefined && to !== undefined ? (
        <Button size="xs" onClick={() => onCompare({ from, to })}>
          {t('skillPage.compare', { from, to })}
        </Button>
      ) : (
        <p className={classes.hint}>{t('skillPage.compareHint', { count: 2 - selected.length })}</p>
      )}
      {selected.length > 0 && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {t('skillPage.clearSelection')}
        </Button>
      )}
    </div>
  );
}

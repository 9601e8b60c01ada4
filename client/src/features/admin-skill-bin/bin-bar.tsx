import { Button, Checkbox } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './bin-page.module.css';

interface BinBarProps {
  /** Number of skills on the page, and of the chosen ones among them. */
  shown: number;
  chosen: number;
  isBusy: boolean;
  onChooseAll: (areChosen: boolean) => void;
  onRestore: () => void;
  onRemove: () => void;
}

/** Chooses all skills on the page, and restores or deletes the chosen ones. */
export function BinBar({ shown, chosen, isBusy, onChooseAll, onRestore, onRemove }: BinBarProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <div className={classes.bar}>
      <Checkbox
        label={
          chosen === 0 ? t('skillBin.chooseShown') : t('skillBin.chosen', { total: number(chosen) })
        }
        checked={chosen === shown}
        indeterminate={chosen > 0 && chosen < shown}
        onChange={(event) => onChooseAll(event.currentTarget.checked)}
      />
      {chosen > 0 && (
        <>
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<IconRestore size={16} aria-hidden />}
            onClick={onRestore}
          >
            {t('skillBin.restoreChosen')}
          </Button>
          <Button
            variant="default"
            className={classes.remove}
            disabled={isBusy}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={onRemove}
          >
            {t('skillBin.removeChosen')}
          </Button>
        </>
      )}
    </div>
  );
}

import { publicationChecks } from '@knowhow/shared/skills/publication-checks';
import type { BinResult } from '@knowhow/shared/skills/skill-bin';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOverride } from '../../ui/checks/use-override.tsx';
import classes from './bin-page.module.css';

interface BinFailuresProps {
  failed: BinResult['failed'];
  isBusy: boolean;
  /** Restores skills in spite of required checks that fail. */
  onRestore: (names: string[], reason: string) => void;
  onClose: () => void;
}

/** The skills that were not restored or deleted, and why. */
export function BinFailures({ failed, isBusy, onRestore, onClose }: BinFailuresProps) {
  const { t } = useTranslation();
  return (
    failed.length > 0 && (
      <div className={classes.failures} role="alert">
        <p>{t('skillBin.failed', { count: failed.length })}</p>
        <ul>
          {failed.map(({ name, message }) => (
            <li key={name}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
        <RestoreAnyway failed={failed} isBusy={isBusy} onRestore={onRestore} />
        <Button variant="default" size="compact-sm" onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    )
  );
}

/** Takes the reason to restore skills whose required checks fail; nothing if there are none. */
function RestoreAnyway({ failed, isBusy, onRestore }: Omit<BinFailuresProps, 'onClose'>) {
  const { t } = useTranslation();
  const stopped = failed.filter(({ checks }) => checks !== undefined);
  const { field, reason } = useOverride(
    publicationChecks.filter((check) => stopped.some(({ checks }) => checks?.includes(check))),
  );
  if (stopped.length === 0) {
    return null;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason !== undefined) {
          onRestore(
            stopped.map(({ name }) => name),
            reason,
          );
        }
      }}
    >
      {field}
      <Button type="submit" size="compact-sm" loading={isBusy} disabled={reason === undefined}>
        {t('skillBin.restoreAnyway', { count: stopped.length })}
      </Button>
    </form>
  );
}

import type { BinResult } from '@knowhow/shared/skills/skill-bin';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './bin-page.module.css';

interface BinFailuresProps {
  failed: BinResult['failed'];
  onClose: () => void;
}

/** The skills that were not restored or deleted, and why. */
export function BinFailures({ failed, onClose }: BinFailuresProps) {
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
        <Button variant="default" size="compact-sm" onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    )
  );
}

import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './temporary-password-bar.module.css';

/** Asks users with a temporary password to choose a new one. */
export function TemporaryPasswordBar({ onChange }: { onChange: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar} role="status">
      <span>{t('account.madeForYou')}</span>
      <Button variant="default" size="compact-sm" onClick={onChange}>
        {t('account.changePassword')}
      </Button>
    </div>
  );
}

import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './config-error-note.module.css';

/** Why an item's file is not used. */
export function ConfigErrorNote({ fault }: { fault: NonNullable<ConfigItem['fault']> }) {
  const { t } = useTranslation();
  return (
    <div className={classes.note}>
      <IconAlertCircle className={classes.icon} size={18} aria-hidden />
      <div>
        <p className={classes.title}>{t('adminConfig.fault.title')}</p>
        <p>
          {fault.field !== undefined && <code>{fault.field}</code>} {fault.message}
        </p>
        <p>{t('adminConfig.fault.about')}</p>
      </div>
    </div>
  );
}

import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { useTranslation } from 'react-i18next';
import classes from './model-state.module.css';

interface ModelStateProps {
  item: ConfigItem;
  state: { needs?: string | undefined; refusesTools?: boolean | undefined } | undefined;
}

/** Whether a model is available, and what is missing. */
export function ModelState({ item, state }: ModelStateProps) {
  const { t } = useTranslation();
  if (item.config?.enabled === false) {
    return t('adminConfig.model.off');
  }
  if (!state) {
    return null;
  }
  if (state.needs !== undefined) {
    return (
      <span className={classes.needs}>
        {t('adminConfig.model.needs')} <code>{state.needs}</code>
      </span>
    );
  }
  if (state.refusesTools) {
    return <span className={classes.needs}>{t('adminConfig.model.refusesTools')}</span>;
  }
  return <span className={classes.ready}>{t('adminConfig.model.ready')}</span>;
}

import { useTranslation } from 'react-i18next';
import classes from './page-loading.module.css';

/** Shown while the code of a page is loaded. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <div className={classes.page} role="status" aria-label={t('state.loading')}>
      <span className={classes.spinner} />
    </div>
  );
}

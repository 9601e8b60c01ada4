import { useTranslation } from 'react-i18next';
import classes from './left-out-note.module.css';

/** Some folders were not scanned. The diagnostics name them and the next step. */
export function LeftOutNote({ folders }: { folders: number }) {
  const { t } = useTranslation();
  return (
    folders > 0 && <p className={classes.note}>{t('skillList.leftOut', { count: folders })}</p>
  );
}

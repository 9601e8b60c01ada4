import { useTranslation } from 'react-i18next';
import classes from './left-out-note.module.css';

/** That skills are not looked for everywhere. Which folders, and what to do, is among the faults. */
export function LeftOutNote({ folders }: { folders: number }) {
  const { t } = useTranslation();
  return (
    folders > 0 && <p className={classes.note}>{t('skillList.leftOut', { count: folders })}</p>
  );
}

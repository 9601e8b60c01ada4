import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './rows.module.css';

/** Skeleton of a list. */
export function Rows() {
  const { t } = useTranslation();
  return (
    <div className={classes.rows} role="status" aria-label={t('state.loading')}>
      {['46%', '58%', '38%', '52%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </div>
  );
}

import { useTranslation } from 'react-i18next';
import classes from './deprecated-badge.module.css';

interface DeprecatedBadgeProps {
  /** The name of the skill to use instead. */
  successor: string | undefined;
}

/** Says that a skill is deprecated, and what to use instead. */
export function DeprecatedBadge({ successor }: DeprecatedBadgeProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.badge}>
      {successor === undefined ? t('deprecated.badge') : t('deprecated.instead', { successor })}
    </span>
  );
}

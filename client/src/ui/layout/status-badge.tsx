import type { SkillStatus } from '@knowhow/shared/skills/admin-skill';
import { useTranslation } from 'react-i18next';
import classes from './status-badge.module.css';

/** A status badge: text and colour. */
export function StatusBadge({ status }: { status: SkillStatus }) {
  const { t } = useTranslation();
  return (
    <span className={classes.badge} data-status={status}>
      {t(words[status])}
    </span>
  );
}

const words = {
  on: 'status.on',
  off: 'status.off',
  blocked: 'status.blocked',
  broken: 'status.broken',
  shadowed: 'status.shadowed',
} as const satisfies Record<SkillStatus, string>;

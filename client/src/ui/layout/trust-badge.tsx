import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './trust-badge.module.css';

/** Whether a skill's plugin is trusted. */
export function TrustBadge({
  plugin,
}: {
  plugin: Pick<NonNullable<AdminSkill['plugin']>, 'trusted'>;
}) {
  const { t } = useTranslation();
  const { trusted } = plugin;
  const Icon = trusted ? IconShieldCheck : IconShieldQuestion;
  return (
    <span className={classes.badge} data-trusted={trusted || undefined}>
      <Icon size={14} aria-hidden />
      {t(trusted ? 'plugins.trusted' : 'plugins.untrusted')}
    </span>
  );
}

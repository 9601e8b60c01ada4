import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './skill-facts.module.css';

/** The number of diagnostics of a skill by severity. */
export function Diagnostics({ diagnostics }: { diagnostics: AdminSkill['diagnostics'] }) {
  const { t } = useTranslation();
  const counts = severities
    .map(({ severity, ...kind }) => ({
      ...kind,
      severity,
      count: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length,
    }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) {
    return (
      <span className={classes.none}>
        <span aria-hidden>–</span>
        <VisuallyHidden>{t('skillList.noDiagnostics')}</VisuallyHidden>
      </span>
    );
  }
  return (
    <span
      className={classes.diagnostics}
      role="img"
      aria-label={counts.map(({ word, count }) => t(word, { count })).join(', ')}
    >
      {counts.map(({ severity, Icon, count }) => (
        <span key={severity} className={classes.diagnostic} data-severity={severity}>
          <Icon size={15} aria-hidden />
          {count}
        </span>
      ))}
    </span>
  );
}

const severities = [
  { severity: 'error', Icon: IconAlertCircle, word: 'skillList.errors' },
  { severity: 'warning', Icon: IconAlertTriangle, word: 'skillList.warnings' },
  { severity: 'info', Icon: IconInfoCircle, word: 'skillList.hints' },
] as const;

interface ReachProps {
  kind: 'apps' | 'groups';
  skill: AdminSkill;
  /** All items, by name. */
  named: { id: string; name: string }[];
  /** Also names what is counted. */
  isLong?: boolean;
}

/** The number of apps or groups of a skill, and their names on demand. */
export function Reach({ kind, skill, named, isLong = false }: ReachProps) {
  const { t } = useTranslation();
  const ids = skill[kind];
  const { counted, none, path } = reaches[kind];
  if (ids.length === 0) {
    return <span className={classes.none}>{t(isLong ? none : 'skillList.reachesNone')}</span>;
  }
  const words = t(counted, { count: ids.length });
  return (
    <Popover position="bottom" shadow="sm" withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={classes.reach}
          aria-label={t('skillList.reach', { name: skill.name, words })}
        >
          {isLong ? words : ids.length}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.links}>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <Link to={`${path}/${encodeURIComponent(id)}`}>
                {named.find((one) => one.id === id)?.name ?? id}
              </Link>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

const reaches = {
  apps: { counted: 'skillList.apps', none: 'skillList.noApp', path: '/admin/apps' },
  groups: { counted: 'skillList.groups', none: 'skillList.noGroup', path: '/admin/groups' },
} as const;

import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../../ui/bolt.tsx';
import { DeprecatedBadge } from '../../../ui/deprecated-badge.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import classes from './app-skill-list.module.css';

interface AppSkillTextProps {
  name: string;
  /** Undefined until loaded. */
  skill: AdminSkill | undefined;
  /** The skill does not exist. */
  isMissing?: boolean;
  /** Why it is offered, if that needs an explanation. */
  label?: string;
  /** Shown below the description. */
  children?: ReactNode;
}

/** A skill in an app's list: name, source, status, description. */
export function AppSkillText({
  name,
  skill,
  isMissing = false,
  label,
  children,
}: AppSkillTextProps) {
  const { t } = useTranslation();
  const labels = skill
    ? [
        t(sources[skill.source]),
        t('skillList.files', { count: skill.files }),
        ...(label ? [label] : []),
      ]
    : [];
  return (
    <>
      <Bolt />
      <div className={classes.text}>
        <span className={classes.name}>
          {skill ? <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link> : name}
          {skill && skill.status !== 'on' && <StatusBadge status={skill.status} />}
          {skill?.deprecated && <DeprecatedBadge successor={skill.deprecated.successor} />}
          {skill && <span className={classes.label}>{labels.join(' · ')}</span>}
        </span>
        <span className={classes.about}>
          {isMissing ? t('adminConfig.app.skillMissing') : skill?.description}
        </span>
        {children}
      </div>
    </>
  );
}

const sources = {
  local: 'skillPage.sourceLocal',
  extra: 'skillPage.sourceExtra',
  builtin: 'skillPage.sourceBuiltin',
  mcp: 'skillPage.sourceMcp',
  plugin: 'skillPage.sourcePlugin',
} as const satisfies Record<AdminSkill['source'], string>;

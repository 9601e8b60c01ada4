import type { AdminSkill, ListedSkill } from '@knowhow/shared/skills/admin-skill';
import { Checkbox, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import { DeprecatedBadge } from '../../ui/deprecated-badge.tsx';
import { TrustBadge } from '../../ui/layout/trust-badge.tsx';
import classes from './skill-parts.module.css';
import { sourceNames } from './source-names.ts';
import { isSelectable, type Selection } from './use-selection.ts';
import { isSwitchable } from './use-toggle.ts';

/** The name, as a link that covers the whole row or card. */
export function SkillName({ skill, children }: { skill: AdminSkill; children?: ReactNode }) {
  const { name, displayName } = skill;
  return (
    <Link className={classes.name} to={`/admin/skills/${encodeURIComponent(name)}`}>
      <Bolt size={15} />
      <span className={classes.id}>{name}</span>
      {displayName !== name && <span className={classes.display}>{displayName}</span>}
      {children}
    </Link>
  );
}

/** Badges for deprecation, the draft and the open review of a skill. */
export function SkillBadges({ skill }: { skill: ListedSkill }) {
  const { t } = useTranslation();
  const { name, deprecated, hasDraft, review } = skill;
  if (!deprecated && !hasDraft && review === undefined) {
    return null;
  }
  return (
    <div className={classes.badges}>
      {deprecated && <DeprecatedBadge successor={deprecated.successor} />}
      {hasDraft && (
        <Link
          className={classes.badge}
          to={`/admin/skills/${encodeURIComponent(name)}/files`}
          aria-label={t('skillList.draftOf', { name })}
        >
          {t('skillList.draft')}
        </Link>
      )}
      {review !== undefined && (
        <Link
          className={classes.badge}
          to={`/admin/reviews/${review}`}
          aria-label={t('skillList.reviewOf', { name })}
        >
          {t('skillList.draftInReview')}
        </Link>
      )}
    </div>
  );
}

/** The source; for a plugin also whether it is trusted. */
export function SkillSource({ skill: { source, plugin } }: { skill: AdminSkill }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.source}>{t(sourceNames[source])}</span>
      {plugin && <TrustBadge plugin={plugin} />}
    </>
  );
}

/** The folder in its source, and the number of files. */
export function SkillFolder({ skill: { location, files } }: { skill: AdminSkill }) {
  const { t } = useTranslation();
  return (
    <span className={classes.folder}>
      <code>{location}</code>, {t('skillPage.fileCount', { count: files })}
    </span>
  );
}

interface SkillChoiceProps {
  skill: AdminSkill;
  selection: Selection;
}

export function SkillChoice({ skill, selection }: SkillChoiceProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox in it is named; this is its larger target
    <label className={classes.choice}>
      <Checkbox
        aria-label={t('skillList.choose', { name: skill.name })}
        disabled={!isSelectable(skill)}
        checked={selection.has(skill)}
        onChange={(event) => selection.set([skill], event.currentTarget.checked)}
      />
    </label>
  );
}

interface SkillSwitchProps {
  skill: AdminSkill;
  onToggle: (skill: AdminSkill, isOn: boolean) => void;
}

/** Switches a skill on and off; not rendered if it would have no effect. */
export function SkillSwitch({ skill, onToggle }: SkillSwitchProps) {
  const { t } = useTranslation();
  return (
    isSwitchable(skill) && (
      <Switch
        className={classes.switch}
        classNames={{ body: classes.switchTarget }}
        aria-label={t('skillList.use', { name: skill.name })}
        checked={skill.status === 'on'}
        onChange={(event) => onToggle(skill, event.currentTarget.checked)}
      />
    )
  );
}

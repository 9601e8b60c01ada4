import type { AdminSkill } from '@knowhow/shared/admin-skill';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './app-skill-list.module.css';
import { SkillPriority } from './skill-priority.tsx';
import { useSkillsByName } from './use-skills-by-name.ts';

/** More would stop the page. */
const mostListed = 500;

interface AppSkillListProps {
  names: string[];
  onRemove: (name: string) => void;
}

/** The skills of an app in the order of the catalogue: the highest priority first, then by name. */
export function AppSkillList({ names, onRemove }: AppSkillListProps) {
  const { t } = useTranslation();
  const entries = useSkillsByName(names.slice(0, mostListed)).sort(
    (one, other) =>
      (other.skill?.priority ?? 0) - (one.skill?.priority ?? 0) || (one.name < other.name ? -1 : 1),
  );
  if (names.length === 0) {
    return <p className={classes.note}>{t('adminConfig.app.noSkills')}</p>;
  }
  return (
    <>
      <ul className={classes.list} aria-label={t('adminConfig.app.attached')}>
        {entries.map(({ name, skill, isMissing }) => (
          <li key={name}>
            <Bolt />
            <div className={classes.text}>
              <SkillName name={name} skill={skill} />
              <span className={classes.about}>
                {isMissing ? t('adminConfig.app.skillMissing') : skill?.description}
              </span>
            </div>
            {skill && <SkillPriority key={skill.priority} skill={skill} />}
            <IconButton
              label={t('adminConfig.app.detach', { name })}
              icon={<IconX size={16} />}
              onClick={() => onRemove(name)}
            />
          </li>
        ))}
      </ul>
      {names.length > mostListed && (
        <p className={classes.note}>
          {t('adminConfig.skills.more', { count: names.length - mostListed })}
        </p>
      )}
      <p className={classes.note}>{t('adminConfig.app.priorityAbout')}</p>
    </>
  );
}

function SkillName({ name, skill }: { name: string; skill: AdminSkill | undefined }) {
  return (
    <span className={classes.name}>
      {skill ? <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link> : name}
      {skill && skill.status !== 'on' && <StatusBadge status={skill.status} />}
    </span>
  );
}

import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems, query } from '../../../api/query.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from '../apps/app-skill-list.module.css';
import { AppSkillText } from '../apps/app-skill-text.tsx';
import { InjectSwitch } from '../apps/inject-switch.tsx';
import { useAutoInject, useExcluded } from '../use-name-list.ts';

/** Further skills are only counted. */
const mostShown = 20;

interface InheritedSkillsProps {
  app: string;
  /** The skills that the app lists itself. */
  own: string[];
  /** Whether the app offers all skills. */
  isAll: boolean;
  /** Adds a skill to the app's own list. */
  onPin: (name: string) => void;
}

/** Skills that an app offers without listing them: global ones, or all of them. */
export function InheritedSkills({ app, own, isAll, onPin }: InheritedSkillsProps) {
  const { t } = useTranslation();
  const excluded = useExcluded();
  const autoInject = useAutoInject();
  const all = useQuery({
    ...query(adminSkillsApi.list, { query: { limit: 200, sort: 'name', status: 'on' } }),
    enabled: isAll,
  });
  const offered = useQuery({
    ...allItems(adminSkillsApi.list, { query: { app } }),
    enabled: !isAll,
  });
  const found = isAll ? all.data?.items : offered.data?.filter(({ global }) => global);
  const gone = new Set([...own, ...excluded.names]);
  const skills = (found ?? [])
    .filter(({ name, status }) => status !== 'shadowed' && !gone.has(name))
    .sort((one, other) => other.priority - one.priority || (one.name < other.name ? -1 : 1));
  if (skills.length === 0) {
    return null;
  }
  const total = isAll ? (all.data?.total ?? 0) - gone.size : skills.length;
  const more = total - Math.min(skills.length, mostShown);
  return (
    <div>
      <h3 className={classes.heading} id="inherited-skills">
        {t('adminConfig.app.inherited')}
      </h3>
      <p className={classes.note}>{t('adminConfig.app.inheritedAbout')}</p>
      <ul className={classes.list} aria-labelledby="inherited-skills">
        {skills.slice(0, mostShown).map((skill) => (
          <li key={skill.name}>
            <AppSkillText
              name={skill.name}
              skill={skill}
              label={skill.global ? t('adminConfig.app.viaGlobal') : t('adminConfig.app.viaAll')}
            />
            <div className={classes.controls}>
              <InjectSwitch name={skill.name} />
              <IconButton
                label={t('adminConfig.app.pin', { name: skill.name })}
                icon={<IconPlus size={16} />}
                onClick={() => onPin(skill.name)}
              />
              <IconButton
                label={t('adminConfig.app.exclude', { name: skill.name })}
                icon={<IconX size={16} />}
                onClick={() => {
                  excluded.set(skill.name, true);
                  autoInject.set(skill.name, false);
                }}
              />
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.note}>{t('adminConfig.skills.more', { count: more })}</p>}
    </div>
  );
}

import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { allItems } from '../../api/query.ts';
import { Bolt } from '../../ui/bolt.tsx';
import classes from './app-skill-list.module.css';

interface GlobalSkillsProps {
  app: string;
  /** These are shown elsewhere. */
  attached: string[];
}

/** The skills that an app offers because every app does. */
export function GlobalSkills({ app, attached }: GlobalSkillsProps) {
  const { t } = useTranslation();
  const offered = useQuery(allItems(adminSkillsApi.list, { query: { app } }));
  const skills = (offered.data ?? []).filter(
    ({ name, global }) => global && !attached.includes(name),
  );
  if (skills.length === 0) {
    return null;
  }
  return (
    <div>
      <h3 className={classes.heading}>{t('adminConfig.app.globalSkills')}</h3>
      <ul className={classes.list}>
        {skills.map(({ name, description }) => (
          <li key={name}>
            <Bolt />
            <div className={classes.text}>
              <Link className={classes.name} to={`/admin/skills/${encodeURIComponent(name)}`}>
                {name}
              </Link>
              <span className={classes.about}>{description}</span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

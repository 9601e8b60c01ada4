import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import boxed from './boxed-list.module.css';
import classes from './shadowed-skills.module.css';

/** Skills with the same name that this one shadows. */
export function ShadowedSkills({ skill: { hides, name } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  if (hides.length === 0) {
    return null;
  }
  return (
    <Section title={t('skillPage.hides')} text={t('skillPage.hidesText', { name })}>
      <ul className={`${boxed.list} ${classes.list}`}>
        {hides.map(({ location, description }) => (
          <li key={location}>
            <code>{location}</code>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

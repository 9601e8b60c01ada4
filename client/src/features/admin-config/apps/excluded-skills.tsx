import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useExcluded } from '../use-name-list.ts';
import classes from './app-skill-list.module.css';
import { AppSkillText } from './app-skill-text.tsx';
import { useSkillsByName } from './use-skills-by-name.ts';

/** Inherited skills that the app excludes, each with a button to include it again. */
export function ExcludedSkills({ own }: { own: string[] }) {
  const { t } = useTranslation();
  const excluded = useExcluded();
  const entries = useSkillsByName(excluded.names.filter((name) => !own.includes(name)));
  if (entries.length === 0) {
    return null;
  }
  return (
    <div>
      <h3 className={classes.heading} id="excluded-skills">
        {t('adminConfig.app.excluded')}
      </h3>
      <p className={classes.note}>{t('adminConfig.app.excludedAbout')}</p>
      <ul className={classes.list} aria-labelledby="excluded-skills">
        {entries.map(({ name, skill, isMissing }) => (
          <li key={name}>
            <AppSkillText name={name} skill={skill} isMissing={isMissing} />
            <div className={classes.controls}>
              <IconButton
                label={t('adminConfig.app.include', { name })}
                icon={<IconArrowBackUp size={16} />}
                onClick={() => excluded.set(name, false)}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import classes from './skill-chips.module.css';

interface SkillChipsProps {
  skills: string[];
  /** Whether the maximum is reached. */
  isFull: boolean;
  onRemove: (skill: string) => void;
}

/** The skills of the next message. */
export function SkillChips({ skills, isFull, onRemove }: SkillChipsProps) {
  const { t } = useTranslation();
  return (
    <ul className={classes.chips} aria-label={t('composer.chosenSkills')}>
      {skills.map((skill) => (
        <li key={skill} className={classes.chip}>
          <Bolt size={14} />
          <span>{skill}</span>
          <UnstyledButton
            className={classes.remove}
            aria-label={t('composer.removeSkill', { skill })}
            onClick={() => onRemove(skill)}
          >
            <IconX size={14} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
      {isFull && (
        <li className={classes.full}>{t('composer.mostSkills', { count: skills.length })}</li>
      )}
    </ul>
  );
}

import type { Activation } from '@knowhow/shared/chat/chat';
import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import classes from './active-skills.module.css';
import chipClasses from './skill-chips.module.css';

interface ActiveSkillsProps {
  skills: Activation[];
  onEnd: (name: string) => void;
  /** Requests the newer text of a skill; undefined while no more can be picked for the next message. */
  onRenew: ((name: string) => void) | undefined;
}

/** The skills that are active in the conversation. */
export function ActiveSkills({ skills, onEnd, onRenew }: ActiveSkillsProps) {
  const { t } = useTranslation();
  if (skills.length === 0) {
    return null;
  }
  return (
    <ul className={classes.row} aria-label={t('activeSkills.title')}>
      {skills.map(({ name, isOutdated }) => (
        <li key={name} className={`${chipClasses.chip} ${classes.chip}`}>
          <Bolt size={14} />
          <span title={name}>{name}</span>
          {isOutdated && (
            <>
              <em className={classes.updated}>{t('activeSkills.updated')}</em>
              <UnstyledButton
                className={classes.renew}
                aria-label={`${t('activeSkills.renew')}: ${name}`}
                disabled={!onRenew}
                onClick={() => onRenew?.(name)}
              >
                {t('activeSkills.renew')}
              </UnstyledButton>
            </>
          )}
          <UnstyledButton
            className={chipClasses.remove}
            aria-label={t('activeSkills.end', { name })}
            onClick={() => onEnd(name)}
          >
            <IconX size={14} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

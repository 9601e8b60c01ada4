import type { Activation } from '@knowhow/shared/chat';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import classes from './active-skills.module.css';

interface ActiveSkillsProps {
  skills: Activation[];
  onEnd: (name: string) => void;
}

/** How many skills are active in this conversation, and a menu to end each. */
export function ActiveSkills({ skills, onEnd }: ActiveSkillsProps) {
  const { t } = useTranslation();
  if (skills.length === 0) {
    return null;
  }
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton
          className={classes.target}
          aria-label={t('activeSkills.label', { count: skills.length })}
        >
          <Bolt size={15} />
          {skills.length}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label>{t('activeSkills.title')}</Menu.Label>
        {skills.map(({ name }) => (
          <Menu.Item
            key={name}
            leftSection={<Bolt />}
            rightSection={<IconX size={15} aria-hidden />}
            aria-label={t('activeSkills.end', { name })}
            onClick={() => onEnd(name)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

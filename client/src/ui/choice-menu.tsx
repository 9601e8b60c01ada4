import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './choice-menu.module.css';
import { LazyMenu } from './loading/lazy-menu.tsx';

interface Choice {
  id: string;
  name: string;
  description: string;
  /** A hint shown before the choice. */
  diagnostic?: string;
  disabled?: boolean;
  icon?: ReactNode;
}

interface ChoiceMenuProps {
  /** Label of the choice: the first part of the button's accessible name. */
  label: string;
  choices: Choice[];
  chosen: string | undefined;
  /** Text weight: the first item of a bar is bolder than the next ones. */
  strong?: boolean;
  onChoose: (id: string) => void;
}

/** A quiet button with the current choice, and a menu to change it. */
export function ChoiceMenu({ label, choices, chosen, strong, onChoose }: ChoiceMenuProps) {
  const { name = '', icon } = choices.find(({ id }) => id === chosen) ?? {};
  return (
    <LazyMenu
      position="bottom-start"
      width={340}
      classNames={{ item: classes.item, itemIndicator: classes.indicator }}
      dropdownClassName={classes.dropdown}
      button={
        <UnstyledButton
          className={classes.target}
          data-strong={strong || undefined}
          aria-label={`${label}: ${name}`}
        >
          {icon}
          <span className={classes.chosen}>{name}</span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      }
    >
      {(Menu) => (
        <Menu.RadioGroup value={chosen} onChange={onChoose}>
          {choices.map((choice) => (
            <Menu.RadioItem
              key={choice.id}
              value={choice.id}
              disabled={choice.disabled}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} aria-hidden />}
            >
              <span className={classes.name}>
                {choice.icon}
                {choice.name}
              </span>
              {choice.description && (
                <span className={classes.description}>{choice.description}</span>
              )}
              {choice.diagnostic && <span className={classes.diagnostic}>{choice.diagnostic}</span>}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )}
    </LazyMenu>
  );
}

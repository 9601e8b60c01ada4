import { Popover } from '@mantine/core';
import { cloneElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpeningButton } from '../../ui/loading/opened-later.tsx';
import { useOpenedAtOnce } from '../../ui/loading/use-opened-at-once.ts';
import classes from './skill-selector.module.css';
import { SkillSelectorList, type SkillSelectorProps } from './skill-selector-list.tsx';

/** The skill list, above the button that opened it. */
export function SkillSelectorPopover({
  button,
  ...props
}: SkillSelectorProps & { button: OpeningButton }) {
  const { t } = useTranslation();
  const { button: ref, isOpen, setIsOpen } = useOpenedAtOnce();
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="top-start"
      middlewares={{ shift: { padding: 16 } }}
      width="min(380px, calc(100vw - 32px))"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {cloneElement(button, { ref, onClick: () => setIsOpen(!isOpen) })}
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={t('skillSelector.title')}>
        <SkillSelectorList {...props} onClose={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

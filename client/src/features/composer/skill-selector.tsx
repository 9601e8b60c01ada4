import { Popover, UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './skill-selector.module.css';
import type { SkillSelectorProps } from './skill-selector-list.tsx';

const SkillSelectorList = lazyPart(
  async () => (await import('./skill-selector-list.tsx')).SkillSelectorList,
);

/** Which skills may be used in this conversation: to switch them off and on, and to use one now. */
export function SkillSelector(props: SkillSelectorProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const { off, picked } = props;
  const count = off.filter((name) => !picked.includes(name)).length;
  const label = count === 0 ? t('skillSelector.label') : t('skillSelector.labelOff', { count });
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
        <UnstyledButton
          className={classes.target}
          aria-label={`${t('skillSelector.title')}${count === 0 ? '' : `: ${label}`}`}
          disabled={props.appId === ''}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Bolt size={15} />
          {label}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={t('skillSelector.title')}>
        <Suspense>
          <SkillSelectorList {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

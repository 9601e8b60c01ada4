import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { openedLater } from '../../ui/loading/opened-later.tsx';
import classes from './skill-selector.module.css';
import type { SkillSelectorProps } from './skill-selector-list.tsx';

const SkillSelectorPopover = openedLater(
  async () => (await import('./skill-selector-popover.tsx')).SkillSelectorPopover,
  'dialog',
);

/** The skills of this conversation: switch them off and on, or use one now. */
export function SkillSelector(props: SkillSelectorProps) {
  const { t } = useTranslation();
  const { off, picked } = props;
  const count = off.filter((name) => !picked.includes(name)).length;
  const label = count === 0 ? t('skillSelector.label') : t('skillSelector.labelOff', { count });
  return (
    <SkillSelectorPopover
      {...props}
      button={
        <UnstyledButton
          className={classes.target}
          aria-label={`${t('skillSelector.title')}${count === 0 ? '' : `: ${label}`}`}
          disabled={props.appId === ''}
        >
          <Bolt size={15} />
          {label}
        </UnstyledButton>
      }
    />
  );
}

import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconColumns2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../../ui/choice-menu.module.css';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import ownClasses from './second-model.module.css';
import type { Choices } from './use-choices.ts';

/** Selects a second model for comparison, or none. */
export function ComparisonModelMenu({ choices }: { choices: Choices }) {
  const { t } = useTranslation();
  const { models, model, second, modelName, chooseSecond } = choices;
  const label = t('second.choose');
  const others = models.filter(({ id, needs }) => id !== model?.id && needs === undefined);
  return (
    <LazyMenu
      position="bottom-start"
      width={300}
      classNames={{ item: classes.item, itemIndicator: classes.indicator }}
      dropdownClassName={classes.dropdown}
      button={
        second === undefined ? (
          <IconButton label={label} icon={<IconColumns2 size={18} />} />
        ) : (
          <UnstyledButton
            className={`${classes.target} ${ownClasses.chosen}`}
            aria-label={`${label}: ${modelName(second)}`}
          >
            <IconColumns2 size={18} aria-hidden />
            <span className={classes.chosen}>{modelName(second)}</span>
          </UnstyledButton>
        )
      }
    >
      {(Menu) => (
        <Menu.RadioGroup value={second ?? ''} onChange={(id) => chooseSecond(id || undefined)}>
          <Menu.Label>{t('second.hint')}</Menu.Label>
          {['', ...others.map(({ id }) => id)].map((id) => (
            <Menu.RadioItem
              key={id}
              value={id}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} aria-hidden />}
            >
              <span className={classes.name}>{id === '' ? t('second.none') : modelName(id)}</span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )}
    </LazyMenu>
  );
}

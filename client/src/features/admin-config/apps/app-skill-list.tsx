import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useDragOrder } from '../use-drag-order.ts';
import classes from './app-skill-list.module.css';
import { AppSkillText } from './app-skill-text.tsx';
import { InjectSwitch } from './inject-switch.tsx';
import { useSkillsByName } from './use-skills-by-name.ts';

/** More would freeze the page. */
const mostListed = 500;

interface AppSkillListProps {
  names: string[];
  onOrder: (names: string[]) => void;
  onRemove: (name: string) => void;
}

/** The skills that an app lists, in order; reordered by dragging or with the arrows. */
export function AppSkillList({ names, onOrder, onRemove }: AppSkillListProps) {
  const { t } = useTranslation();
  const entries = useSkillsByName(names.slice(0, mostListed));

  function move(name: string, to: number) {
    const others = names.filter((other) => other !== name);
    onOrder(others.toSpliced(to, 0, name));
  }

  const dragOf = useDragOrder(move);

  /** The button moves along and keeps the focus; at an end, its neighbour gets it. */
  function step(name: string, to: number, button: HTMLElement) {
    flushSync(() => move(name, to));
    const usable = button.parentElement?.querySelector<HTMLElement>('button:enabled');
    (button.matches(':disabled') ? usable : button)?.focus();
  }

  return (
    <>
      <ul className={classes.list} aria-label={t('adminConfig.app.attached')}>
        {entries.map(({ name, skill, isMissing }, index) => (
          <li key={name} {...dragOf(name, index)}>
            <IconGripVertical className={classes.grip} size={16} aria-hidden />
            <AppSkillText name={name} skill={skill} isMissing={isMissing} />
            <div className={classes.controls}>
              <InjectSwitch name={name} />
              <IconButton
                label={t('adminConfig.list.up', { name })}
                icon={<IconArrowUp size={16} />}
                disabled={index === 0}
                onClick={(event) => step(name, index - 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.list.down', { name })}
                icon={<IconArrowDown size={16} />}
                disabled={index === entries.length - 1}
                onClick={(event) => step(name, index + 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.app.detach', { name })}
                icon={<IconX size={16} />}
                onClick={() => onRemove(name)}
              />
            </div>
          </li>
        ))}
      </ul>
      {names.length > mostListed && (
        <p className={classes.note}>
          {t('adminConfig.skills.more', { count: names.length - mostListed })}
        </p>
      )}
      <p className={classes.note}>
        {t('adminConfig.app.ownAbout')} {t('adminConfig.app.injectAbout')}
      </p>
    </>
  );
}

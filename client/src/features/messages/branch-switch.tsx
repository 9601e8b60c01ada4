import type { Lines } from '@knowhow/shared/lines';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './branch-switch.module.css';
import { type BranchSwitchTarget, ThreadStateContext } from './thread-state.ts';

interface LineSwitchProps {
  lines: Lines;
  /** The user message with which the shown branch begins. */
  question: string;
}

/** Switches between versions of a message, also with the arrow keys. */
export function BranchSwitch({ lines, question }: LineSwitchProps) {
  const { t } = useTranslation();
  const { busy, moved, onMove } = useContext(ThreadStateContext);
  const { at, of } = lines;
  const before = useRef<HTMLButtonElement>(null);
  const after = useRef<HTMLButtonElement>(null);
  const hasCome = moved?.to === question;

  // The pressed button was replaced with its branch: keep the focus here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as it comes
  useEffect(() => {
    if (hasCome) {
      const [wanted, other] = moved.by === 'before' ? [before, after] : [after, before];
      (wanted.current?.disabled ? other : wanted).current?.focus();
    }
  }, []);

  function go(by: BranchSwitchTarget['by']) {
    const to = lines[by];
    if (to !== undefined && !busy) {
      onMove({ to, by });
    }
  }

  function onKeyDown({ key }: KeyboardEvent) {
    if (key === 'ArrowLeft') {
      go('before');
    }
    if (key === 'ArrowRight') {
      go('after');
    }
  }

  return (
    <fieldset aria-label={t('lines.label')} className={classes.switch} onKeyDown={onKeyDown}>
      <IconButton
        ref={before}
        size={26}
        label={t('lines.before')}
        icon={<IconChevronLeft size={16} />}
        disabled={busy || lines.before === undefined}
        onClick={() => go('before')}
      />
      <span>{t('lines.place', { at, of })}</span>
      <IconButton
        ref={after}
        size={26}
        label={t('lines.after')}
        icon={<IconChevronRight size={16} />}
        disabled={busy || lines.after === undefined}
        onClick={() => go('after')}
      />
    </fieldset>
  );
}

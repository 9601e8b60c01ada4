import { Switch } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './switch-row.module.css';

interface SwitchRowProps {
  label: ReactNode;
  /** Explanation, or why it is disabled. */
  text?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  /** Disabled because something else decides; the text says what. */
  isLocked?: boolean;
  onChange?: (checked: boolean) => void;
}

/** A setting with a switch at the end of the row. */
export function SwitchRow({ label, text, checked, disabled, isLocked, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
        {text && (
          <div id={`${id}-text`} className={classes.text}>
            {text}
          </div>
        )}
      </div>
      <Switch
        id={id}
        className={classes.switch}
        aria-describedby={text ? `${id}-text` : undefined}
        checked={checked}
        disabled={disabled || isLocked}
        thumbIcon={isLocked && <IconLock className={classes.lock} size={11} aria-hidden />}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
    </div>
  );
}

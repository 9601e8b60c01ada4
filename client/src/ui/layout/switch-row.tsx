import { Switch } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './switch-row.module.css';

interface SwitchRowProps {
  label: ReactNode;
  /** What it means, or why it cannot be switched here. */
  text?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  /** Something else decides: the text says what. */
  isLocked?: boolean;
  onChange?: (checked: boolean) => void;
}

/** What can be on or off, with its switch at the end of the row. */
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

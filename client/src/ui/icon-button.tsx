import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ActionIconProps, 'children'> {
  /** What it does: its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: 'button' | 'submit';
  disabled?: boolean;
  'aria-expanded'?: boolean;
  'aria-haspopup'?: 'menu' | 'dialog' | 'listbox';
  ref?: Ref<HTMLButtonElement>;
}

/** A button that is only an icon: quiet, unless a variant is given. */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  const quiet = rest.variant === undefined ? classes.quiet : '';
  return (
    <Tooltip label={label} openDelay={500} fz="xs" withArrow={false}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={label}
        className={`${classes.button} ${quiet} ${className}`}
        {...rest}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

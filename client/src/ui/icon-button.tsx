import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { type MouseEventHandler, type ReactNode, type Ref, Suspense, useState } from 'react';
import classes from './icon-button.module.css';
import { lazyPart } from './loading/lazy-part.tsx';

/** If the tooltip cannot be loaded, the button works without it. */
const IconButtonTip = lazyPart(
  async () => (await import('./icon-button-tip.tsx')).IconButtonTip,
  () => null,
);

interface IconButtonProps extends Omit<ActionIconProps, 'children'> {
  /** The action: accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: 'button' | 'submit';
  disabled?: boolean;
  'aria-expanded'?: boolean;
  'aria-pressed'?: boolean;
  'aria-haspopup'?: 'menu' | 'dialog' | 'listbox';
  ref?: Ref<HTMLButtonElement>;
}

/**
 * A button with only an icon: quiet, unless a variant is given. A conversation has thousands, so the tooltip,
 * which renders several times, is mounted on demand.
 */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  const [target, setTarget] = useState<HTMLButtonElement>();
  const quiet = rest.variant === undefined ? classes.quiet : '';
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={label}
        className={`${classes.button} ${quiet} ${className}`}
        {...rest}
        onPointerEnter={(event) => setTarget(event.currentTarget)}
        onFocus={(event) => setTarget(event.currentTarget)}
      >
        {icon}
      </ActionIcon>
      {target && (
        <Suspense>
          <IconButtonTip label={label} target={target} />
        </Suspense>
      )}
    </>
  );
}

import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useIsPrinted } from '../use-is-printed.ts';
import classes from './expander.module.css';

interface ExpanderProps {
  /** The row that is always visible; its text is the button's name. */
  summary: ReactNode;
  icon?: ReactNode;
  tone?: 'skill' | 'quiet';
  initiallyOpen?: boolean;
  children: ReactNode;
}

/** A slim row that expands. */
export function Expander(props: ExpanderProps) {
  const { summary, icon, tone = 'quiet', initiallyOpen = false, children } = props;
  const [isOpen, setOpen] = useState(initiallyOpen);
  const isPrinted = useIsPrinted();
  const open = isOpen || isPrinted;
  const id = useId();
  return (
    <div className={classes.root} data-tone={tone} data-open={open || undefined}>
      <UnstyledButton
        className={classes.summary}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {icon}
        <span className={classes.label}>{summary}</span>
        <IconChevronRight className={classes.chevron} size={16} aria-hidden />
      </UnstyledButton>
      {open && (
        <div id={id} className={classes.content}>
          {children}
        </div>
      )}
    </div>
  );
}

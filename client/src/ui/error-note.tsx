import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './error-note.module.css';
import { useErrorText } from './use-error-text.ts';

interface ErrorNoteProps {
  error: unknown;
  /** What can be done about it: buttons. */
  children?: ReactNode;
}

/** An error, where it happened, with the next step. */
export function ErrorNote({ error, children }: ErrorNoteProps) {
  const { title, detail } = useErrorText()(error);
  return (
    <div className={classes.note} role="alert">
      <IconAlertCircle className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>
        <p className={classes.title}>{title}</p>
        {detail && <p className={classes.detail}>{detail}</p>}
        {children && <div className={classes.actions}>{children}</div>}
      </div>
    </div>
  );
}

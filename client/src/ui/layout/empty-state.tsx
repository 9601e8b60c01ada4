import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  /** One sentence about what would be here. */
  text: string;
  /** The first step: buttons. */
  children?: ReactNode;
}

/** An empty state, with how to start. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  /** One sentence: what would be here. */
  text: string;
  /** The first step: buttons. */
  children?: ReactNode;
}

/** Stands where there is nothing, and says how to begin. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

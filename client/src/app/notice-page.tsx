import type { ReactNode } from 'react';
import classes from './notice-page.module.css';

interface NoticePageProps {
  title: string;
  text: string;
  /** The link to continue with. */
  children: ReactNode;
}

/** A page with a single message: not found, broken, or empty. */
export function NoticePage({ title, text, children }: NoticePageProps) {
  return (
    <div className={classes.page}>
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}

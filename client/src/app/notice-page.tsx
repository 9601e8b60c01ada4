import type { ReactNode } from 'react';
import classes from './notice-page.module.css';

interface NoticePageProps {
  title: string;
  text: string;
  /** The way on. */
  children: ReactNode;
}

/** A page that has only something to say: not found, broken, nothing here. */
export function NoticePage({ title, text, children }: NoticePageProps) {
  return (
    <div className={classes.page}>
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}

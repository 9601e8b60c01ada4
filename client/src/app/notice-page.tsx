import type { ReactNode, Ref } from 'react';
import classes from './notice-page.module.css';

interface NoticePageProps {
  title: string;
  text: string;
  /** Ref of the heading, for focus. */
  headingRef?: Ref<HTMLHeadingElement> | undefined;
  /** The link to continue with. */
  children: ReactNode;
}

/** A page with a single message: not found, broken, or empty. */
export function NoticePage({ title, text, headingRef, children }: NoticePageProps) {
  return (
    <div className={classes.page}>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}

import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import classes from './page-frame.module.css';
import { getReturnLink, useScrollBack } from './use-scroll-back.ts';

interface PageFrameProps {
  /** The page's heading, and the tab title. */
  title: string;
  /** Link to the parent page. */
  back?: { to: string; label: string };
  /** Next to the title. */
  status?: ReactNode;
  actions?: ReactNode;
  description?: string;
  children: ReactNode;
}

/** A page: a head with title and actions, and scrolling content. */
export function PageFrame({ title, back, status, actions, description, children }: PageFrameProps) {
  useDocumentTitle(`${title} · Knowhow`);
  const scroller = useRef<HTMLDivElement>(null);
  useScrollBack(scroller);
  return (
    <div ref={scroller} className={classes.scroller}>
      <div className={classes.page}>
        <header className={classes.head}>
          {back && (
            <Link className={classes.back} {...getReturnLink(back.to)}>
              <IconChevronLeft size={16} aria-hidden />
              {back.label}
            </Link>
          )}
          <div className={classes.row}>
            <div className={classes.title}>
              <h1>{title}</h1>
              {status}
            </div>
            {actions && <div className={classes.actions}>{actions}</div>}
          </div>
          {description && <p className={classes.description}>{description}</p>}
        </header>
        {children}
      </div>
    </div>
  );
}

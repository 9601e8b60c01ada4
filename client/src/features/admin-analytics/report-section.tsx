import { type ReactNode, useId } from 'react';
import classes from './report-section.module.css';

interface ReportSectionProps {
  title: string;
  about?: string;
  children: ReactNode;
}

/** One question that the numbers answer. */
export function ReportSection({ title, about, children }: ReportSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p className={classes.about}>{about}</p>}
      {children}
    </section>
  );
}

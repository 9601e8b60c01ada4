import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** What it is for, in a sentence. */
  text?: ReactNode;
  children: ReactNode;
}

/** A part of a skill's page, with its heading. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </section>
  );
}

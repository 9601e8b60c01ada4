import { type ReactNode, useId } from 'react';
import classes from './facts.module.css';

/** Details next to the form. */
export function DetailsPanel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.facts} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

import { type ReactNode, type Ref, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** Its purpose, in a sentence. */
  text?: ReactNode;
  /** Link target. */
  id?: string;
  /** Ref of the heading, for focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A section with its heading. */
export function Section({ title, text, id, headingRef, children }: SectionProps) {
  const ownId = useId();
  const headingId = id ?? ownId;
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <h2 id={headingId} ref={headingRef} tabIndex={-1}>
        {title}
      </h2>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </section>
  );
}

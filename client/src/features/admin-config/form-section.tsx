import { type ReactNode, useId } from 'react';
import classes from './item-page.module.css';

interface FormSectionProps {
  title: string;
  description?: string | undefined;
  children: ReactNode;
}

/** Fields that belong together. */
export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {description && <p className={classes.about}>{description}</p>}
      {children}
    </section>
  );
}

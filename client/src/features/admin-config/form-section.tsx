import { type ReactNode, use, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConfigPath } from './items/config-path.ts';
import { useDraft } from './items/draft-context.ts';
import classes from './items/item-page.module.css';
import { SectionContext } from './sections/section-list.ts';
import { type Held, sectionSummary } from './sections/section-summary.ts';

interface FormSectionProps {
  title: string;
  description?: string | undefined;
  /** Which fields are summarised next to the form, and how. */
  holds?: Readonly<Partial<Record<ConfigPath, Held>>>;
  /** Other paths that the section edits: errors of all these are counted. */
  fields?: readonly ConfigPath[];
  children: ReactNode;
}

/** A group of related fields. */
export function FormSection(props: FormSectionProps) {
  const { title, description, holds = {}, fields = [], children } = props;
  const { t } = useTranslation();
  const id = useId();
  const sections = use(SectionContext);
  const { schema, form } = useDraft();
  const summary = sectionSummary(holds, { schema, config: form.values }, t);
  const errors = countErrors(form.errors, [...Object.keys(holds), ...fields]);

  useEffect(
    () => sections?.put({ id, title, summary, errors }),
    [sections, id, title, summary, errors],
  );
  useEffect(() => () => sections?.drop(id), [sections, id]);

  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {description && <p className={classes.about}>{description}</p>}
      {children}
    </section>
  );
}

function countErrors(errors: object, fields: readonly string[]): number {
  return Object.keys(errors).filter((path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  ).length;
}

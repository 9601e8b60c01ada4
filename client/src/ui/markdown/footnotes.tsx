import { type ComponentProps, use } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './markdown.module.css';
import { TextIdContext } from './markdown-text-context.ts';

/** A heading. Only the footnotes' heading has an ID, for screen readers. */
export function FootnotesTitle({ id, children }: ComponentProps<'h2'>) {
  const { t } = useTranslation();
  const text = use(TextIdContext);
  if (id === undefined) {
    return <h2>{children}</h2>;
  }
  return (
    <h2 id={text + id} className={classes.footnotesTitle}>
      {t('answer.footnotes')}
    </h2>
  );
}

/** A list item. Only footnotes have an ID. */
export function FootnoteItem({ id, className, children }: ComponentProps<'li'>) {
  const text = use(TextIdContext);
  if (id === undefined) {
    return <li className={className}>{children}</li>;
  }
  return (
    <li id={text + id} tabIndex={-1}>
      {children}
    </li>
  );
}

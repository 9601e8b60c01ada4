import { type ComponentProps, use } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './markdown.module.css';
import { TextIdContext } from './markdown-text-context.ts';

/** A heading. The only one with an id is that of the footnotes, which is there for screen readers. */
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

/** An item of a list. The only ones with an id are footnotes. */
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

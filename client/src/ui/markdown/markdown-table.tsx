import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../scrolling-group.tsx';
import classes from './markdown.module.css';

/** A table that scrolls sideways by itself when it is wider than the answer. */
export function MarkdownTable({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ScrollingGroup className={classes.table} label={t('answer.table')}>
      <table>{children}</table>
    </ScrollingGroup>
  );
}

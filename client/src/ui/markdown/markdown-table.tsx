import { IconTableExport } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import classes from './markdown-table.module.css';
import { tableToHtml } from './rich-text.ts';
import { tableToCsv } from './table-csv.ts';

/** A table that scrolls sideways if it is wider than the answer. */
export function MarkdownTable({
  children,
  dir,
}: {
  children: ReactNode;
  dir?: string | undefined;
}) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className={classes.tableFrame}>
      <ScrollingGroup className={classes.table} label={t('answer.table')}>
        <table ref={table} dir={dir}>
          {children}
        </table>
      </ScrollingGroup>
      <div className={classes.tableTools}>
        <CopyButton
          label={t('answer.copyCsv')}
          icon={<IconTableExport size={16} />}
          size={28}
          textOf={() => (table.current ? tableToCsv(table.current) : '')}
          htmlOf={async () => (table.current ? tableToHtml(table.current) : '')}
        />
      </div>
    </div>
  );
}

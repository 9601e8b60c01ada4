import type { ImportFormat, ImportReport } from '@knowhow/shared/chat/conversation-import';
import { appsApi } from '@knowhow/shared/config/apps';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { ImportLosses } from './import-losses.tsx';
import classes from './import-plan.module.css';
import share from './share-dialog.module.css';

interface ImportPlanProps {
  report: ImportReport;
  onAnother: () => void;
  onRun: (app: string) => void;
}

/** The preview of an import. */
export function ImportPlan({ report, onAnother, onRun }: ImportPlanProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const apps = useQuery({ ...allItems(appsApi.list, {}), staleTime: 60_000 });
  const [chosen, setChosen] = useState<string>();
  const app = chosen ?? apps.data?.[0]?.id;
  const count = report.conversations - report.known;
  const from = report.formats.map((format) => products[format]).join(', ');
  return (
    <>
      <p ref={focusHere} tabIndex={-1} className={classes.sum}>
        {t('importing.plan', { count: report.conversations, from })}{' '}
        {report.known > 0 && t('importing.known', { count: report.known })}
      </p>
      <PlannedList report={report} />
      <ImportLosses losses={report.losses} full={report.full} />
      {apps.error && <ErrorNote error={apps.error} onRetry={() => apps.refetch()} />}
      {count > 0 && (apps.data?.length ?? 0) > 1 && (
        <NativeSelect
          label={t('importing.app')}
          value={app ?? ''}
          data={apps.data?.map(({ id, name }) => ({ value: id, label: localize(name) })) ?? []}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <div className={share.actions}>
        <Button variant="default" onClick={onAnother}>
          {t('importing.another')}
        </Button>
        {count > 0 ? (
          <Button disabled={app === undefined} onClick={() => app !== undefined && onRun(app)}>
            {t('importing.run', { count })}
          </Button>
        ) : (
          <span>{t('importing.nothing')}</span>
        )}
      </div>
    </>
  );
}

const products: Record<ImportFormat, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  knowhow: 'Knowhow',
};

function PlannedList({ report }: { report: ImportReport }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { items, conversations } = report;
  const more = conversations - items.length;
  return (
    <ScrollingGroup className={classes.scroller} label={t('importing.title')}>
      <ul className={classes.list}>
        {items.map(({ title, messages, updatedAt, isKnown, isFull }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} data-known={isKnown || undefined}>
            <span className={classes.title}>{title}</span>
            <span className={classes.facts}>
              {[
                t('importing.messages', { count: messages }),
                date(updatedAt),
                ...(isKnown ? [t('importing.isKnown')] : []),
                ...(isFull ? [t('importing.isFull')] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
        {more > 0 && <li className={classes.facts}>{t('importing.more', { count: more })}</li>}
      </ul>
    </ScrollingGroup>
  );
}

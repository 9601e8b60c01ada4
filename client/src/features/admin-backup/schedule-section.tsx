import type { backupStateSchema } from '@knowhow/shared/config/backup';
import { Skeleton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Section } from '../../ui/layout/section.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import type { BackupStateQuery } from './export-section.tsx';
import classes from './schedule-section.module.css';

const example = 'BACKUP_DIR=/backups\nBACKUP_CRON=0 3 * * *';

type Schedule = NonNullable<z.output<typeof backupStateSchema>['schedule']>;

/** Scheduled backups and their status. */
export function ScheduleSection({ state: { data, isPending } }: { state: BackupStateQuery }) {
  const { t } = useTranslation();
  return (
    <Section title={t('adminBackup.schedule')}>
      {isPending && <Skeleton height={96} radius="md" />}
      {data?.schedule && <Facts schedule={data.schedule} />}
      {data && !data.schedule && (
        <>
          <p className={classes.none}>{t('adminBackup.noSchedule')}</p>
          <pre className={classes.example}>{example}</pre>
        </>
      )}
    </Section>
  );
}

function Facts({ schedule: { cron, next, last, error } }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const { bytes, date } = useFormat();
  return (
    <>
      {error !== undefined && <Failure reason={error} />}
      <dl className={classes.facts}>
        <dt>{t('adminBackup.cron')}</dt>
        <dd>
          <code>{cron}</code>
        </dd>
        <dt>{t('adminBackup.next')}</dt>
        <dd>{next === undefined ? t('adminBackup.noNext') : date(next)}</dd>
        <dt>{t('adminBackup.last')}</dt>
        <dd>
          {last === undefined ? (
            t('adminBackup.noLast')
          ) : (
            <>
              {date(last.at)}, {bytes(last.bytes)}
              <span className={classes.file}>{last.file}</span>
            </>
          )}
        </dd>
      </dl>
    </>
  );
}

function Failure({ reason }: { reason: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <IconAlertCircle className={classes.icon} size={18} aria-hidden />
      <div>
        <p className={classes.title}>{t('adminBackup.scheduleFailed')}</p>
        <p>{reason}</p>
        <p>{t('adminBackup.scheduleNextStep')}</p>
      </div>
    </div>
  );
}

import { type BackupPart, backupApi, type backupStateSchema } from '@knowhow/shared/config/backup';
import { Problem } from '@knowhow/shared/problem';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { IconAlertCircle, IconDownload } from '@tabler/icons-react';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './admin-backup.module.css';
import { exportAddress, fileParts } from './export-address.ts';
import { PartChoice } from './part-choice.tsx';
import { RestoreSection } from './restore-section.tsx';
import { SnapshotSection } from './snapshot-section.tsx';

/** Polling interval for another user's restore, in ms. */
const refetchInterval = 2000;

/** Backup and restore, with preview and undo. */
export function AdminBackup() {
  const { t } = useTranslation();
  const hasAllRights = useRight();
  const [hasEnded, setEnded] = useState(false);
  const refresh = useRefresh(() => setEnded(true));
  const state = useQuery({
    ...query(backupApi.state, {}),
    refetchInterval: ({ state: { data } }) => (data?.restoring ? refetchInterval : false),
  });

  if (hasEnded) {
    return (
      <PageFrame title={t('adminPages.backup')}>
        <SessionEnded />
      </PageFrame>
    );
  }
  return (
    <PageFrame title={t('adminPages.backup')} description={t('adminBackup.about')}>
      <div className={classes.page}>
        <ExportSection state={state} />
        <ScheduleSection state={state} />
        {hasAllRights && (
          <RestoreSection isElsewhere={state.data?.restoring === true} onRestored={refresh} />
        )}
        <SnapshotSection onRestored={refresh} />
      </div>
    </PageFrame>
  );
}

/** Reloads the page, because all cached data is outdated. */
function SessionEnded() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState title={t('adminBackup.endedTitle')} text={t('adminBackup.endedText')}>
        <Button component="a" href="/admin/backup">
          {t('adminBackup.signIn')}
        </Button>
      </EmptyState>
    </div>
  );
}

/**
 * After a restore everything may have changed, including the user's permissions.
 *
 * @param onEnded called if the user may no longer be here
 */
function useRefresh(onEnded: () => void): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    try {
      // Not a page query: those would redirect to the sign-in page without explanation.
      await call(backupApi.state, {});
    } catch (error) {
      if (error instanceof Problem && lostAccess.has(error.code)) {
        return onEnded();
      }
    }
    await queryClient.invalidateQueries();
  };
}

const lostAccess = new Set(['not-signed-in', 'forbidden']);

const example = 'BACKUP_DIR=/backups\nBACKUP_CRON=0 3 * * *';

type Schedule = NonNullable<z.output<typeof backupStateSchema>['schedule']>;

/** Scheduled backups and their status. */
function ScheduleSection({ state: { data, isPending } }: { state: BackupStateQuery }) {
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

type BackupStateQuery = UseQueryResult<z.output<typeof backupStateSchema>>;

/** The contents of a backup and its download link: the browser writes it to disk. */
function ExportSection({ state }: { state: BackupStateQuery }) {
  const { t } = useTranslation();
  const mayTakeData = useRight();
  const [parts, setParts] = useState<BackupPart[]>(fileParts);
  const [withData, setWithData] = useState(false);
  const address = exportAddress(parts, { withData });

  return (
    <Section title={t('adminBackup.export')} text={t('adminBackup.exportText')}>
      <LoadError queries={[state]} />
      <Size state={state} />
      <div className={classes.form}>
        <PartChoice
          label={t('adminBackup.exportParts')}
          parts={fileParts}
          chosen={parts}
          onChange={setParts}
        />
        {mayTakeData && (
          <Checkbox
            label={t('adminBackup.withData')}
            description={t('adminBackup.withDataText')}
            checked={withData}
            onChange={(event) => setWithData(event.currentTarget.checked)}
          />
        )}
        {address === undefined ? (
          <p className={classes.hint} role="status">
            {t('adminBackup.nothingChosen')}
          </p>
        ) : (
          <Button
            component="a"
            href={address}
            download
            leftSection={<IconDownload size={17} aria-hidden />}
          >
            {t('adminBackup.download')}
          </Button>
        )}
      </div>
    </Section>
  );
}

function Size({ state: { data, isPending } }: { state: BackupStateQuery }) {
  const { t } = useTranslation();
  const { bytes, number } = useFormat();
  if (isPending) {
    return <Skeleton className={classes.size} height={14} width="18rem" maw="100%" />;
  }
  return (
    data && (
      <p className={classes.size}>
        {t('adminBackup.size', {
          count: data.contentsFiles,
          files: number(data.contentsFiles),
          size: bytes(data.contentsBytes),
        })}
      </p>
    )
  );
}

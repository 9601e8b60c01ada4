import { backupApi } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { useRight } from '../../ui/rights.ts';
import classes from './admin-backup.module.css';
import { ExportSection } from './export-section.tsx';
import { RestoreSection } from './restore-section.tsx';
import { ScheduleSection } from './schedule-section.tsx';
import { SnapshotSection } from './snapshot-section.tsx';
import { useRefresh } from './use-refresh.ts';

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

import { backupApi, type RestorePlan } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PlanSummary } from './plan-summary.tsx';
import classes from './restore-result.module.css';

interface RestoreResultProps {
  plan: RestorePlan;
  snapshot: string | undefined;
  onRestored: () => Promise<void>;
  onAgain: () => void;
}

/** The result of a restore, with undo. */
export function RestoreResult({ plan, snapshot, onRestored, onAgain }: RestoreResultProps) {
  const { t } = useTranslation();
  const undo = useMutation({
    mutationFn: (id: string) => call(backupApi.restoreSnapshot, { params: { id } }),
    onSuccess: onRestored,
  });
  const title = undo.isSuccess ? 'adminBackup.undone' : 'adminBackup.done';
  return (
    <div className={classes.result}>
      {/* A new element after undo, so that screen readers announce it. */}
      <h3 key={title} ref={focusHere} tabIndex={-1} className={classes.title}>
        <IconCheck className={classes.icon} size={18} aria-hidden />
        {t(title)}
      </h3>
      {!undo.isSuccess && <PlanSummary plan={plan} />}
      <p className={classes.text}>
        {t(undo.isSuccess ? 'adminBackup.undoneText' : 'adminBackup.doneText')}{' '}
        <a href="#snapshots">{t('adminBackup.toSnapshots')}</a>
      </p>
      {undo.error && <ErrorNote error={undo.error} />}
      <div className={classes.actions}>
        {snapshot !== undefined && !undo.isSuccess && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={17} aria-hidden />}
            loading={undo.isPending}
            onClick={() => undo.mutate(snapshot)}
          >
            {t('action.undo')}
          </Button>
        )}
        <Button variant="default" disabled={undo.isPending} onClick={onAgain}>
          {t('adminBackup.another')}
        </Button>
      </div>
    </div>
  );
}

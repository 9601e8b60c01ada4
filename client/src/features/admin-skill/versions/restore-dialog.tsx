import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type SkillVersion, skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { useOverride } from '../../../ui/checks/use-override.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { Rows } from '../rows.tsx';
import { WriteError } from '../write-error.tsx';
import classes from './restore-dialog.module.css';
import { useRestore } from './use-restore.ts';

interface RestoreDialogProps {
  skill: AdminSkillDetail;
  version: SkillVersion;
  /** Number of the current version, to say what changes. */
  newest: number;
  opened: boolean;
  onClose: () => void;
  onRestored: () => void;
}

/** Asks before a version is restored, and says what that changes. */
export function RestoreDialog(props: RestoreDialogProps) {
  const { skill, version, newest, opened, onClose, onRestored } = props;
  const { t } = useTranslation();
  const { date } = useFormat();
  const { number, created } = version;
  const restoreVersion = useRestore(skill.name);
  const override = useOverride();
  const restore = useMutation({
    mutationFn: () =>
      restoreVersion({ number, ifMatch: skill.checksum, override: override.reason }),
    onError: (error) => override.onError(error),
    onSuccess: () => {
      onClose();
      onRestored();
      notifications.show({
        message: t('skillPage.restored', { number }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    },
  });

  function close() {
    restore.reset();
    override.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      title={t('skillPage.restoreTitle', { number })}
      opened={opened}
      onClose={close}
      onConfirm={() => restore.mutate()}
      confirmLabel={t('skillPage.restore')}
      isBusy={restore.isPending}
      isReady={override.isReady}
    >
      <p>{t('skillPage.restoreText', { number, date: date(created) })}</p>
      <RestoredFiles name={skill.name} from={newest} to={number} />
      {override.field}
      {restore.error && <WriteError error={restore.error} onReloaded={restore.reset} />}
    </ConfirmDialog>
  );
}

function RestoredFiles({ name, from, to }: { name: string; from: number; to: number }) {
  const { t } = useTranslation();
  const diff = useQuery(
    query(skillVersionsApi.diff, { params: { skill: name, number: to }, query: { from } }),
  );
  return (
    <>
      <p>{t('skillPage.restoreChanges')}</p>
      <LoadError queries={[diff]} />
      {diff.isPending && <Rows />}
      {diff.data && (
        <div className={classes.changes}>
          <FileChanges changes={diff.data.changes} />
        </div>
      )}
    </>
  );
}

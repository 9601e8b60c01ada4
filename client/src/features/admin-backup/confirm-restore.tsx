import type { RestorePlan } from '@knowhow/shared/config/backup';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { partsOfNames } from './chosen-names.ts';
import classes from './confirm-restore.module.css';
import { usePartName } from './use-part-name.ts';
import type { Review } from './use-restore.ts';

interface ConfirmRestoreProps {
  review: Review;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Lists what will be replaced and removed before it happens. */
export function ConfirmRestore({ review, opened, onClose, onConfirm }: ConfirmRestoreProps) {
  const { t, i18n } = useTranslation();
  const partName = usePartName();
  const { file, plan } = review;
  const names = partsOfNames(plan.chosen).map(partName);
  const parts = new Intl.ListFormat(i18n.language).format(names);
  return (
    <ConfirmDialog
      title={t('adminBackup.confirmTitle', { name: file.name })}
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      confirmLabel={t('adminBackup.confirm')}
      typed={t('adminBackup.restoreWord')}
    >
      <p>{t('adminBackup.confirmText', { parts })}</p>
      <ul>
        <Files plan={plan} change="removed" />
        <Files plan={plan} change="changed" />
        <Files plan={plan} change="added" />
        <DataLosses plan={plan} />
      </ul>
      <p>{t('adminBackup.keptText')}</p>
    </ConfirmDialog>
  );
}

interface FilesProps {
  plan: RestorePlan;
  change: keyof typeof fileWords;
}

const shownPaths = 5;

function Files({ plan, change }: FilesProps) {
  const { t } = useTranslation();
  const count = plan[change];
  const paths = plan.changes.filter((each) => each.change === change).map(({ path }) => path);
  const shown = paths.slice(0, shownPaths).join(', ');
  return (
    count > 0 && (
      <li>
        {t(fileWords[change], { count })}{' '}
        <span className={classes.paths}>{count > shownPaths ? `${shown}, …` : shown}</span>
      </li>
    )
  );
}

function DataLosses({ plan: { data, format } }: { plan: RestorePlan }) {
  const { t } = useTranslation();
  const { users, conversations } = data;
  const userWords = format === 'ihub' ? 'adminBackup.usersJoin' : 'adminBackup.usersGo';
  return (
    <>
      {users !== undefined && <li>{t(userWords, { count: users })}</li>}
      {conversations === 0 && <li>{t('adminBackup.conversationsGoneAll')}</li>}
      {conversations !== undefined && conversations > 0 && (
        <li>{t('adminBackup.conversationsGo', { count: conversations })}</li>
      )}
    </>
  );
}

const fileWords = {
  removed: 'adminBackup.filesRemoved',
  changed: 'adminBackup.filesReplaced',
  added: 'adminBackup.filesAdded',
} as const;

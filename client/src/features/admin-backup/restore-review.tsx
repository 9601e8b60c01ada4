import type { BackupPart, RestorePlan } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { namesForParts, partsOfNames } from './chosen-names.ts';
import { PartChoice } from './part-choice.tsx';
import { PlanDetails } from './plan-details.tsx';
import { PlanSummary } from './plan-summary.tsx';
import { Failure } from './refusal.tsx';
import classes from './restore-review.module.css';
import { usePartName } from './use-part-name.ts';
import type { Review } from './use-restore.ts';

interface RestoreReviewProps {
  review: Review;
  /** Why the last attempt failed. */
  error: unknown;
  onPlan: (review: Review, only: string | undefined) => void;
  onRestore: (review: Review) => void;
  onCancel: () => void;
}

/** The preview of a restore. */
export function RestoreReview({ review, error, onPlan, onRestore, onCancel }: RestoreReviewProps) {
  const { t } = useTranslation();
  const { file, names, only, plan } = review;
  const [parts, setParts] = useState<BackupPart[]>(() => partsOfNames(plan.chosen));
  const [isAsking, setAsking] = useState(false);
  const wanted = namesForParts(names, parts);
  const isOther = parts.length > 0 && wanted !== only;
  const isRestorable = plan.refused.length === 0 && changesAnything(review);

  return (
    <div className={classes.review}>
      <h3 ref={focusHere} tabIndex={-1} className={classes.title}>
        {file.name}
      </h3>
      <PlanSummary plan={plan} />
      <PartChoice
        label={t('adminBackup.restoreParts')}
        parts={plan.parts}
        chosen={parts}
        onChange={setParts}
      />
      <PlanDetails plan={plan} />
      {error !== undefined && <Failure error={error} />}
      <div className={classes.actions}>
        <p className={classes.hint} role="status">
          {hintOf()}
        </p>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        {isOther ? (
          <Button onClick={() => onPlan(review, wanted)}>{t('adminBackup.planAgain')}</Button>
        ) : (
          <Button disabled={!isRestorable || parts.length === 0} onClick={() => setAsking(true)}>
            {t('adminBackup.restoreThis')}
          </Button>
        )}
      </div>
      <ConfirmRestore
        review={review}
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => onRestore(review)}
      />
    </div>
  );

  function hintOf(): string {
    if (parts.length === 0) {
      return t('adminBackup.nothingChosen');
    }
    if (isOther) {
      return t('adminBackup.otherParts');
    }
    if (plan.refused.length > 0) {
      return t('adminBackup.cannotGoOn');
    }
    return isRestorable ? '' : t('adminBackup.nothingChanges');
  }
}

function changesAnything({ plan: { added, changed, removed, data } }: Review): boolean {
  return added + changed + removed > 0 || Object.keys(data).length > 0;
}

interface ConfirmRestoreProps {
  review: Review;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Lists what will be replaced and removed before it happens. */
function ConfirmRestore({ review, opened, onClose, onConfirm }: ConfirmRestoreProps) {
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

import type { BackupPart } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { namesForParts, partsOfNames } from './chosen-names.ts';
import { ConfirmRestore } from './confirm-restore.tsx';
import { PartChoice } from './part-choice.tsx';
import { PlanDetails } from './plan-details.tsx';
import { PlanSummary } from './plan-summary.tsx';
import { Failure } from './refusal.tsx';
import classes from './restore-review.module.css';
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

import { Problem } from '@knowhow/shared/problem';
import { failedRequired } from '@knowhow/shared/skills/publication-checks';
import {
  type SkillReview,
  type SkillReviewDetail,
  skillReviewsApi,
} from '@knowhow/shared/skills/skill-reviews';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { OverrideField } from '../../ui/checks/override-field.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { useRight } from '../../ui/rights.ts';
import { AffectedByReview } from './affected-by-review.tsx';

interface ReviewActionsProps {
  detail: SkillReviewDetail;
}

const decisions = ['withdraw', 'return', 'approve'] as const;
type Action = (typeof decisions)[number];

const texts = {
  withdraw: {
    label: 'reviews.withdraw',
    title: 'reviews.withdrawTitle',
    done: 'reviews.done.withdraw',
  },
  return: { label: 'reviews.return', title: 'reviews.returnTitle', done: 'reviews.done.return' },
  approve: {
    label: 'reviews.approve',
    title: 'reviews.approveTitle',
    done: 'reviews.done.approve',
  },
} as const satisfies Record<Action, object>;

/** The buttons for the decisions that the user may take. */
export function ReviewActions({ detail }: ReviewActionsProps) {
  const { t } = useTranslation();
  const [action, setAction] = useState<Action>();
  return (
    <>
      {decisions
        .filter((each) => detail.may[each])
        .map((each) => (
          <Button
            key={each}
            variant={each === 'approve' ? 'filled' : 'default'}
            onClick={() => setAction(each)}
          >
            {t(texts[each].label)}
          </Button>
        ))}
      {decisions.map((each) => (
        <DecisionDialog
          key={each}
          action={each}
          detail={detail}
          opened={action === each}
          onClose={() => setAction(undefined)}
        />
      ))}
    </>
  );
}

interface DecisionDialogProps extends ReviewActionsProps {
  action: Action;
  opened: boolean;
  onClose: () => void;
}

/** Says what a decision does, and takes a comment, which a return needs. */
function DecisionDialog({ action, detail, opened, onClose }: DecisionDialogProps) {
  const { t } = useTranslation();
  const [comment, setComment] = useState('');
  const [reason, setReason] = useState('');
  const isPublisher = useRight('publish', 'skill-publish');
  const { skill, author } = detail.review;
  const failed = action === 'approve' ? failedRequired(detail.checks ?? []) : [];
  const needsReason = failed.length > 0;
  const deciding = useDecision(action, detail.review, {
    body: {
      comment: comment.trim(),
      ...(needsReason ? { override: { reason: reason.trim() } } : {}),
    },
    onDone: onClose,
  });
  const isComplete = {
    approve: !needsReason || (isPublisher && reason.trim() !== ''),
    return: comment.trim() !== '',
    withdraw: true,
  };
  const explanations: Record<Action, ReactNode> = {
    approve: (
      <>
        <p>{t('reviews.approveText', { skill, author })}</p>
        {detail.blockReason !== undefined && (
          <p>{t('reviews.blocked', { reason: detail.blockReason })}</p>
        )}
        <AffectedByReview affected={detail.affected} />
      </>
    ),
    return: <p>{t('reviews.returnText', { author })}</p>,
    withdraw: <p>{t('reviews.withdrawText')}</p>,
  };
  return (
    <ConfirmDialog
      title={t(texts[action].title, { skill })}
      opened={opened}
      onClose={() => {
        deciding.reset();
        onClose();
      }}
      onConfirm={deciding.mutate}
      confirmLabel={t(texts[action].label)}
      error={deciding.error}
      isBusy={deciding.isPending}
      isReady={isComplete[action]}
    >
      {explanations[action]}
      {needsReason && (
        <OverrideField
          failed={failed.map(({ id }) => id)}
          value={reason}
          onChange={setReason}
          isAllowed={isPublisher}
        />
      )}
      <LimitedTextarea
        label={t(action === 'return' ? 'reviews.comment' : 'reviews.optionalComment')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={maxVersionMessage}
        rows={3}
        required={action === 'return'}
        data-autofocus={!needsReason || undefined}
      />
    </ConfirmDialog>
  );
}

interface DecisionOptions {
  body: { comment: string; override?: { reason: string } };
  onDone: () => void;
}

/** Takes a decision, and says so. */
function useDecision(
  action: Action,
  { id, skill }: SkillReview,
  { body, onDone }: DecisionOptions,
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(skillReviewsApi[action], { params: { id }, body }),
    onSuccess: async ({ decided }) => {
      onDone();
      notifications.show({
        message: t(texts[action].done, { skill, version: decided?.version }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      await refreshSkills(queryClient);
    },
    onError: async (error) => {
      // Something has changed since the page was loaded, such as the settings.
      if (error instanceof Problem && error.code === 'check-failed') {
        const { queryKey } = query(skillReviewsApi.get, { params: { id } });
        await queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}

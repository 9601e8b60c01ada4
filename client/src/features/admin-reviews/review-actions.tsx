import { type SkillReviewDetail, skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
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
  const queryClient = useQueryClient();
  const [comment, setComment] = useState('');
  const { id, skill, author } = detail.review;
  const deciding = useMutation({
    mutationFn: () => {
      const body = { comment: comment.trim() };
      return call(skillReviewsApi[action], { params: { id }, body });
    },
    onSuccess: async ({ decided }) => {
      onClose();
      notifications.show({
        message: t(texts[action].done, { skill, version: decided?.version }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      await refreshSkills(queryClient);
    },
  });
  const explanations: Record<Action, ReactNode> = {
    approve: (
      <>
        <p>{t('reviews.approveText', { skill, author })}</p>
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
      isReady={action !== 'return' || comment.trim() !== ''}
    >
      {explanations[action]}
      <Textarea
        label={t(action === 'return' ? 'reviews.comment' : 'reviews.optionalComment')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={maxVersionMessage}
        rows={3}
        required={action === 'return'}
        data-autofocus
      />
    </ConfirmDialog>
  );
}

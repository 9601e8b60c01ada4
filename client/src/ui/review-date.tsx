import { libraryApi } from '@knowhow/shared/skills/library';
import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import { Button, Input } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { endpointQueryFilter } from '../api/query.ts';
import { refreshSkills } from '../api/refresh-skills.ts';
import classes from './review-date.module.css';
import { useErrorToast } from './text/use-error-toast.ts';
import { useFormat } from './text/use-format.ts';
import { useUndoToast } from './use-undo-toast.tsx';

interface ReviewedSkill {
  name: string;
  displayName: string;
  /** As `2027-03-31`. */
  reviewBy?: string | undefined;
}

interface ReviewDateProps {
  skill: ReviewedSkill;
  /** Called when a date was saved, before lists are loaded again. */
  onSaved?: () => void;
}

/** The date by which a skill must be reviewed: a field, and buttons that move it on. */
export function ReviewDate({ skill, onSaved }: ReviewDateProps) {
  const { t } = useTranslation();
  const id = useId();
  const { set, isPending } = useReviewDate(skill, onSaved);
  const saved = skill.reviewBy ?? '';
  const [typed, setTyped] = useState<string>();

  function save() {
    setTyped(undefined);
    if (typed !== undefined && typed !== saved) {
      set(typed === '' ? null : typed);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      save();
    }
    if (event.key === 'Escape') {
      setTyped(undefined);
    }
  }

  return (
    <Input.Wrapper id={id} label={t('review.date')} description={t('review.dateText')}>
      <div className={classes.row}>
        <Input
          id={id}
          type="date"
          max="9999-12-31"
          value={typed ?? saved}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={onKeyDown}
        />
        <ReviewedButtons skill={skill} set={set} isBusy={isPending} />
      </div>
    </Input.Wrapper>
  );
}

/** Buttons for a review that has been done. */
export function ReviewedToday({ skill, onSaved }: ReviewDateProps) {
  const { set, isPending } = useReviewDate(skill, onSaved);
  return (
    <div className={classes.buttons}>
      <ReviewedButtons skill={skill} set={set} isBusy={isPending} />
    </div>
  );
}

const intervals = [6, 12] as const;

interface ReviewedButtonsProps {
  skill: ReviewedSkill;
  set: (reviewBy: string | null) => void;
  isBusy: boolean;
}

function ReviewedButtons({ skill, set, isBusy }: ReviewedButtonsProps) {
  const { t } = useTranslation();
  return (
    <>
      {intervals.map((months) => (
        <Button
          key={months}
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => set(inMonths(months))}
        >
          {t('review.done', { months })}
        </Button>
      ))}
      {skill.reviewBy !== undefined && (
        <Button size="xs" variant="subtle" color="gray" disabled={isBusy} onClick={() => set(null)}>
          {t('review.clear')}
        </Button>
      )}
    </>
  );
}

/** A day in some months, as `2027-03-31`; the last day of a shorter month. */
function inMonths(months: number): string {
  const now = new Date();
  const day = now.getUTCDate();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}

/** Returns a function that sets the date, with undo. */
function useReviewDate({ name, displayName, reviewBy }: ReviewedSkill, onSaved?: () => void) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const { mutate, mutateAsync, isPending } = useMutation({
    scope: { id: `review ${name}` },
    mutationFn: ({ date }: Change) =>
      call(skillAttentionApi.review, { params: { name }, body: { reviewBy: date } }),
    onSuccess: async (_, { date, isUndo }) => {
      onSaved?.();
      if (!isUndo) {
        showUndo({
          message:
            date === null
              ? t('review.cleared', { name: displayName })
              : t('review.saved', { name: displayName, date: day(date) }),
          undo: () => mutateAsync({ date: reviewBy ?? null, isUndo: true }),
        });
      }
      await Promise.all([
        refreshSkills(queryClient),
        queryClient.invalidateQueries(endpointQueryFilter(skillAttentionApi.list)),
        queryClient.invalidateQueries(endpointQueryFilter(libraryApi.get)),
      ]);
    },
    onError: showError,
  });
  return { set: (date: string | null) => mutate({ date, isUndo: false }), isPending };
}

interface Change {
  date: string | null;
  isUndo: boolean;
}

import type { ReviewComments } from '@knowhow/shared/skills/skill-reviews';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button, Skeleton } from '@mantine/core';
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { LimitedTextarea } from '../forms/limited-textarea.tsx';
import { Section } from '../layout/section.tsx';
import { ErrorNote } from '../text/error-note.tsx';
import { useFormat } from '../text/use-format.ts';
import classes from './comment-thread.module.css';

interface CommentThreadProps {
  queryKey: QueryKey;
  load: () => Promise<ReviewComments>;
  onAdd: (text: string) => Promise<ReviewComments>;
  onRemove: (id: string) => Promise<ReviewComments>;
}

/** The comments of authors and reviewers on a change, with a field to add one. */
export function CommentThread({ queryKey, load, onAdd, onRemove }: CommentThreadProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: load });
  const field = useRef<HTMLTextAreaElement>(null);
  const onSuccess = (changed: ReviewComments) => queryClient.setQueryData(queryKey, changed);
  const remove = useMutation({ mutationFn: onRemove, onSuccess });
  const [removing, setRemoving] = useState<string>();

  function close() {
    setRemoving(undefined);
    remove.reset();
  }

  return (
    <Section title={t('comments.title')} text={t('comments.about')}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={64} />
        </div>
      )}
      {data && data.items.length > 0 && (
        <ul className={classes.comments} aria-label={t('comments.title')}>
          {data.items.map((comment) => (
            <Comment key={comment.id} comment={comment} onRemove={() => setRemoving(comment.id)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        title={t('comments.removeTitle')}
        opened={removing !== undefined}
        onClose={close}
        onConfirm={() =>
          removing !== undefined &&
          remove.mutate(removing, {
            onSuccess: () => {
              close();
              field.current?.focus();
            },
          })
        }
        confirmLabel={t('comments.remove')}
        isBusy={remove.isPending}
        error={remove.error}
      >
        <p>{t('comments.removeText')}</p>
      </ConfirmDialog>
      <NewComment field={field} onAdd={onAdd} onAdded={onSuccess} />
    </Section>
  );
}

interface NewCommentProps extends Pick<CommentThreadProps, 'onAdd'> {
  field: RefObject<HTMLTextAreaElement | null>;
  onAdded: (changed: ReviewComments) => void;
}

/** The field for a comment. It keeps the focus, for the next one. */
function NewComment({ field, onAdd, onAdded }: NewCommentProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: onAdd,
    onSuccess: (changed) => {
      onAdded(changed);
      setText('');
      field.current?.focus();
    },
  });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    add.mutate(text.trim());
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <LimitedTextarea
        ref={field}
        label={t('comments.new')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maxLength={maxVersionMessage}
        rows={3}
      />
      {add.error && <ErrorNote error={add.error} />}
      <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
        {t('comments.add')}
      </Button>
    </form>
  );
}

interface CommentProps {
  comment: ReviewComments['items'][number];
  onRemove: () => void;
}

function Comment({ comment, onRemove }: CommentProps) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  const { author, text, created, isOwn } = comment;
  return (
    <li className={classes.comment}>
      <p className={classes.head}>
        <strong>{author}</strong>{' '}
        <time dateTime={created} title={date(created)}>
          {relativeDate(created)}
        </time>
        {isOwn && (
          <Button
            className={classes.remove}
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={onRemove}
          >
            {t('comments.remove')}
          </Button>
        )}
      </p>
      <p className={classes.text}>{text}</p>
    </li>
  );
}

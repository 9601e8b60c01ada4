import { type CommentNotice, inboxApi, type ReturnedNotice } from '@knowhow/shared/skills/inbox';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import cards from '../../ui/layout/item-cards.module.css';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './inbox-page.module.css';

interface CommentNoticesProps {
  comments: readonly CommentNotice[];
  /** The pressed button disappears with its comment. */
  onRead: () => void;
}

/** Unread comments on reviews. */
export function CommentNotices({ comments, onRead }: CommentNoticesProps) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  const queryClient = useQueryClient();
  const reading = useMutation({
    mutationFn: (ids: string[]) => call(inboxApi.readComments, { body: { ids } }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries(endpointQueryFilter(inboxApi.comments)),
        queryClient.invalidateQueries(endpointQueryFilter(inboxApi.summary)),
      ]),
  });
  if (comments.length === 0) {
    return null;
  }
  return (
    <>
      {reading.error && <ErrorNote error={reading.error} />}
      <ul className={cards.list} aria-label={t('inbox.comments')}>
        {comments.map(({ id, skill, from, createdAt, text, path }) => (
          <li key={id} className={cards.card}>
            <h2 className={cards.name}>{t('inbox.comment', { skill })}</h2>
            <p className={cards.facts}>
              <span>{from}</span>
              <span title={date(createdAt)}>{relativeDate(createdAt)}</span>
            </p>
            <p className={classes.comment}>{text ?? t('inbox.commentHidden')}</p>
            <div className={classes.actions}>
              <Button
                size="xs"
                variant="default"
                disabled={reading.isPending}
                onClick={() => reading.mutate([id], { onSuccess: onRead })}
              >
                {t('inbox.markRead')}
              </Button>
              {path !== undefined && (
                <Button
                  size="xs"
                  variant="subtle"
                  component={Link}
                  to={path}
                  onClick={() => reading.mutate([id])}
                >
                  {t(isOwn(path) ? 'inbox.openSkill' : 'inbox.openReview')}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Changes of the reader that were returned, until they submit them again. */
export function ReturnedNotices({ returned }: { returned: readonly ReturnedNotice[] }) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  if (returned.length === 0) {
    return null;
  }
  return (
    <ul className={cards.list} aria-label={t('inbox.returnedList')}>
      {returned.map(({ id, skill, from, createdAt, text, path }) => (
        <li key={id} className={cards.card}>
          <h2 className={cards.name}>
            {t(isOwn(path) ? 'inbox.returnedProposal' : 'inbox.returned', { skill })}
          </h2>
          <p className={cards.facts}>
            <span>{from}</span>
            <span title={date(createdAt)}>{relativeDate(createdAt)}</span>
          </p>
          <p className={classes.comment}>{text ?? t('inbox.commentHidden')}</p>
          {path !== undefined && (
            <div className={classes.actions}>
              <Button size="xs" variant="default" component={Link} to={path}>
                {t(isOwn(path) ? 'inbox.openSkill' : 'inbox.openDraft')}
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether a notice leads to a skill of the reader's own. */
function isOwn(path: string | undefined): boolean {
  return path?.startsWith('/my/') ?? false;
}

import { Problem } from '@knowhow/shared/problem';
import { failedRequired } from '@knowhow/shared/skills/publication-checks';
import { type SkillDraft, skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button, Modal } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconGitPullRequestDraft,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { CheckList } from '../../../ui/checks/check-list.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './draft-bar.module.css';
import { DraftTestDialog } from './draft-test-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { type DraftProps, useApproval } from './use-approval.ts';
import { draftQuery } from './use-skill-draft.ts';

interface DialogProps extends DraftProps {
  opened: boolean;
  onClose: () => void;
}

type Task = 'changes' | 'checks' | 'discard' | 'rebase' | 'replay' | 'submit' | 'test';

/** Says that the files are those of a draft, and offers what can be done with it. */
export function DraftBar(props: DraftProps) {
  const { t } = useTranslation();
  const approval = useApproval(props);
  const [task, setTask] = useState<Task>();
  const { draft } = props;
  const { review, returned, isOutdated, published } = draft;
  const dialog = (name: Task) => ({
    ...props,
    opened: task === name,
    onClose: () => setTask(undefined),
  });
  return (
    <section className={classes.bar} aria-label={t('skillDraft.title')}>
      <IconGitPullRequestDraft className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>
        <Origin draft={draft} />
        <p>{approval.text}</p>
        {isOutdated && <p>{t('skillDraft.outdated', { version: published })}</p>}
        {returned && <Returned returned={returned} />}
        {review && (
          <p>
            {t('skillDraft.submitted', { author: review.author })}{' '}
            {review.isChanged && t('skillDraft.changedSince')}{' '}
            <Link to={`/admin/reviews/${review.id}`}>{t('skillDraft.openReview')}</Link>
          </p>
        )}
      </div>
      <div className={classes.actions}>
        <ChecksButton draft={draft} onClick={() => setTask('checks')} />
        <Button variant="default" size="xs" onClick={() => setTask('changes')}>
          {t('skillDraft.showChanges')}
        </Button>
        <Button variant="default" size="xs" onClick={() => setTask('replay')}>
          {t('replay.open')}
        </Button>
        <Button variant="default" size="xs" onClick={() => setTask('test')}>
          {t('draftTests.open')}
        </Button>
        {!review && (
          <Button variant="default" size="xs" onClick={() => setTask('discard')}>
            {t('skillDraft.discard')}
          </Button>
        )}
        {isOutdated ? (
          <Button size="xs" onClick={() => setTask('rebase')}>
            {t('skillDraft.rebase', { version: published })}
          </Button>
        ) : (
          !review && (
            <Button size="xs" onClick={() => setTask('submit')}>
              {t('skillDraft.submit')}
            </Button>
          )
        )}
      </div>
      <ChecksDialog {...dialog('checks')} />
      <ChangesDialog {...dialog('changes')} />
      <ReplayDialog {...dialog('replay')} />
      <DraftTestDialog {...dialog('test')} />
      <DiscardDialog {...dialog('discard')} />
      <RebaseDialog {...dialog('rebase')} />
      <SubmitDialog {...dialog('submit')} />
    </section>
  );
}

function Origin({ draft: { base, updatedBy, updated } }: Pick<DraftProps, 'draft'>) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  return (
    <p className={classes.origin}>
      <strong>
        {base === undefined ? t('skillDraft.new') : t('skillDraft.basedOn', { version: base })}
      </strong>
      {' · '}
      <time dateTime={updated} title={date(updated)}>
        {t('skillDraft.changedBy', { name: updatedBy, time: relativeDate(updated) })}
      </time>
    </p>
  );
}

/** Says who returned the draft, and why. */
function Returned({ returned: { id, by, at, comment } }: Required<Pick<SkillDraft, 'returned'>>) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  return (
    <div className={classes.returned}>
      <p title={date(at)}>
        {t('skillDraft.returned', { name: by, time: relativeDate(at) })}{' '}
        <Link to={`/admin/reviews/${id}`}>{t('skillDraft.openReturned')}</Link>
      </p>
      {comment !== '' && (
        <blockquote>
          <PlainText text={comment} />
        </blockquote>
      )}
    </div>
  );
}

/** Says how many checks fail, and shows them. */
function ChecksButton({ draft, onClick }: Pick<DraftProps, 'draft'> & { onClick: () => void }) {
  const { t } = useTranslation();
  const { checks } = draft;
  if (!checks) {
    return null;
  }
  const failed = checks.filter(({ passed }) => !passed);
  const isStopped = failedRequired(checks).length > 0;
  const Icon = isStopped ? IconCircleX : failed.length > 0 ? IconAlertTriangle : IconCircleCheck;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={
        <Icon className={isStopped ? classes.stopped : undefined} size={16} aria-hidden />
      }
      onClick={onClick}
    >
      {failed.length > 0
        ? t('checks.failed', { count: failed.length })
        : t('checks.passed', { count: checks.length })}
    </Button>
  );
}

function ChecksDialog({ draft: { checks = [] }, opened, onClose }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('checks.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(44rem, 96vw)"
      centered
    >
      <p className={classes.about}>{t('checks.about')}</p>
      <CheckList checks={checks} />
    </Modal>
  );
}

/** The differences from the published version. */
function ChangesDialog({ skill, draft, opened, onClose }: DialogProps) {
  const { t } = useTranslation();
  const options = query(skillDraftsApi.diff, { params: { skill: skill.name } });
  const diff = useQuery({
    ...options,
    queryKey: [...options.queryKey, draft.etag, skill.checksum],
    enabled: opened,
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('skillDraft.changesTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(60rem, 96vw)"
      centered
    >
      <LoadError queries={[diff]} />
      {diff.isPending && <p role="status">{t('state.loading')}</p>}
      {diff.data && <FileChanges changes={diff.data.changes} />}
    </Modal>
  );
}

/** Asks before the draft is deleted, and says whose work is lost. */
function DiscardDialog({ skill: { name }, draft, opened, onClose }: DialogProps) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { authors, etag } = draft;
  const discarding = useMutation({
    mutationFn: () => call(skillDraftsApi.remove, { params: { skill: name } }, { ifMatch: etag }),
    onSuccess: () => {
      onClose();
      queryClient.setQueryData(draftQuery(name).queryKey, null);
    },
  });
  return (
    <ConfirmDialog
      title={t('skillDraft.discardTitle')}
      opened={opened}
      onClose={() => {
        discarding.reset();
        onClose();
      }}
      onConfirm={discarding.mutate}
      confirmLabel={t('skillDraft.discard')}
      error={discarding.error}
      isBusy={discarding.isPending}
    >
      <p>
        {t('skillDraft.discardText', {
          count: authors.length,
          names: new Intl.ListFormat(i18n.language).format(authors),
        })}
      </p>
    </ConfirmDialog>
  );
}

/** Bases the draft on the published version, and asks which side to keep of files changed in both. */
function RebaseDialog({ skill: { name }, draft, opened, onClose }: DialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const rebasing = useMutation({
    mutationFn: (prefer: 'draft' | 'published' | undefined) =>
      call(
        skillDraftsApi.rebase,
        { params: { skill: name }, body: { prefer } },
        { ifMatch: draft.etag },
      ),
    onSuccess: (rebased) => {
      rebasing.reset();
      onClose();
      queryClient.setQueryData(draftQuery(name).queryKey, rebased);
    },
  });
  const { error, isPending, variables } = rebasing;
  const conflicts = error instanceof Problem ? (error.issues ?? []) : [];
  const isConflict = conflicts.some(({ code }) => code === 'changed-in-both');
  return (
    <ConfirmDialog
      title={t('skillDraft.rebaseTitle', { version: draft.published })}
      opened={opened}
      onClose={() => {
        rebasing.reset();
        onClose();
      }}
      onConfirm={() => rebasing.mutate(isConflict ? 'draft' : undefined)}
      confirmLabel={isConflict ? t('skillDraft.keepDraft') : t('skillDraft.rebaseNow')}
      error={isConflict ? undefined : error}
      isBusy={isPending && variables !== 'published'}
    >
      {isConflict ? (
        <>
          <p>{t('skillDraft.conflictText')}</p>
          <ul>
            {conflicts.map(({ path }) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
          <Button
            variant="default"
            size="xs"
            loading={isPending && variables === 'published'}
            onClick={() => rebasing.mutate('published')}
          >
            {t('skillDraft.keepPublished')}
          </Button>
        </>
      ) : (
        <p>{t('skillDraft.rebaseText')}</p>
      )}
    </ConfirmDialog>
  );
}

/** Submits the draft with a message, and opens its review. */
function SubmitDialog({ skill, draft, opened, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { mayApprove } = useApproval({ skill, draft });
  const isStopped = failedRequired(draft.checks ?? []).length > 0;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [message, setMessage] = useState('');
  const submitting = useMutation({
    mutationFn: () =>
      call(
        skillDraftsApi.submit,
        { params: { skill: skill.name }, body: { message: message.trim() } },
        { ifMatch: draft.etag },
      ),
    onSuccess: async ({ id }) => {
      onClose();
      await navigate(`/admin/reviews/${id}`);
      await refreshSkills(queryClient);
    },
  });
  return (
    <ConfirmDialog
      title={t('skillDraft.submitTitle')}
      opened={opened}
      onClose={() => {
        submitting.reset();
        onClose();
      }}
      onConfirm={submitting.mutate}
      confirmLabel={t('skillDraft.submitNow')}
      error={submitting.error}
      isBusy={submitting.isPending}
      isReady={message.trim() !== ''}
    >
      <p>{t(mayApprove ? 'skillDraft.submitOwnText' : 'skillDraft.submitText')}</p>
      {isStopped && <p>{t('checks.submitText')}</p>}
      <LimitedTextarea
        label={t('skillDraft.message')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={maxVersionMessage}
        rows={4}
        required
        data-autofocus
      />
    </ConfirmDialog>
  );
}

import { type SkillReviewDetail, skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { CheckList } from '../../ui/checks/check-list.tsx';
import { useOverrideText } from '../../ui/checks/use-override-text.ts';
import { CommentThread } from '../../ui/comments/comment-thread.tsx';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { useDiffLayout } from '../../ui/files/use-diff-layout.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import page from '../../ui/layout/page-parts.module.css';
import { Section } from '../../ui/layout/section.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { usePolicyText } from '../../ui/text/use-policy-text.ts';
import { AffectedByReview } from './affected-by-review.tsx';
import { ReviewActions } from './review-actions.tsx';
import classes from './review-page.module.css';
import { ReviewState } from './review-state.tsx';
import { SubmittedBy } from './submitted-by.tsx';

/** A review: what changes, whom it affects, and the decision. */
export function ReviewPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = useQuery(query(skillReviewsApi.get, { params: { id } }));
  const back = { to: '/admin/reviews', label: t('reviews.back') };
  if (!found.data) {
    return (
      <PageFrame title={t('reviews.title')} back={back}>
        {found.error ? (
          <ErrorNote error={found.error} onRetry={() => found.refetch()} />
        ) : (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={240} />
          </div>
        )}
      </PageFrame>
    );
  }
  const detail = found.data;
  return (
    <PageFrame
      title={detail.review.skill}
      back={back}
      status={<ReviewState state={detail.review.state} />}
      actions={<ReviewActions detail={detail} />}
    >
      <div className={page.parts}>
        <Submission detail={detail} />
        <Notes detail={detail} />
        <Checks detail={detail} />
        <Changes detail={detail} />
        <ReviewComments id={id} />
        <Diagnostics detail={detail} />
        <Section
          title={t('reviews.affected')}
          text={detail.review.state === 'open' ? t('reviews.affectedText') : undefined}
        >
          <AffectedByReview affected={detail.affected} />
        </Section>
      </div>
    </PageFrame>
  );
}

interface DetailProps {
  detail: SkillReviewDetail;
}

/** The author, their message, and the decision. */
function Submission({ detail: { review, published, override, policy } }: DetailProps) {
  const { t } = useTranslation();
  const overrideText = useOverrideText();
  const policyText = usePolicyText();
  const { relativeDate, date } = useFormat();
  const maySee = useRight('skills', 'skill-author', 'skill-publish', 'skill-block');
  const mayOpen = maySee && published !== undefined;
  const { skill, message, base, decided } = review;
  return (
    <div>
      <p className={page.lead}>{message}</p>
      <p className={page.facts}>
        <SubmittedBy review={review} />
        <span>
          {base === undefined ? t('reviews.newSkill') : t('reviews.changes', { version: base })}
        </span>
        {mayOpen && (
          <Link className={classes.skill} to={`/admin/skills/${encodeURIComponent(skill)}`}>
            {t('reviews.openSkill')}
          </Link>
        )}
      </p>
      {policy && policy.mode !== 'direct' && <p className={page.facts}>{policyText(policy)}</p>}
      {decided && (
        <div className={classes.decision}>
          <p>
            <strong>{t(decisionTexts[review.state], { name: decided.by })}</strong>{' '}
            <time dateTime={decided.at} title={date(decided.at)}>
              {relativeDate(decided.at)}
            </time>
            {decided.version !== undefined && (
              <> · {t('reviews.publishedAs', { version: decided.version })}</>
            )}
          </p>
          {decided.comment && <p className={classes.comment}>{decided.comment}</p>}
          {override && <p className={classes.comment}>{overrideText(override)}</p>}
        </div>
      )}
    </div>
  );
}

const decisionTexts = {
  // Open reviews have no decision.
  open: 'reviews.state.open',
  approved: 'reviews.decision.approved',
  returned: 'reviews.decision.returned',
  withdrawn: 'reviews.decision.withdrawn',
} as const;

function ReviewComments({ id }: { id: string }) {
  const params = { id };
  return (
    <CommentThread
      queryKey={query(skillReviewsApi.comments, { params }).queryKey}
      load={() => call(skillReviewsApi.comments, { params })}
      onAdd={(text) => call(skillReviewsApi.comment, { params, body: { text } })}
      onRemove={(comment) => call(skillReviewsApi.removeComment, { params: { id, comment } })}
    />
  );
}

/** Warnings for a reviewer. */
function Notes({ detail }: DetailProps) {
  const { isOutdated, isDraftChanged, needsOther, blockReason, code, checks } = detail;
  const { t, i18n } = useTranslation();
  const isListed = checks?.some(({ id, passed }) => id === 'scripts' && !passed);
  const notes = [
    ...(blockReason === undefined ? [] : [t('reviews.blocked', { reason: blockReason })]),
    ...(isOutdated ? [t('reviews.outdated')] : []),
    ...(isDraftChanged ? [t('reviews.draftChanged')] : []),
    ...(needsOther ? [t('reviews.needsOther')] : []),
    ...(code.length > 0 && !isListed
      ? [
          t('reviews.code', {
            count: code.length,
            files: new Intl.ListFormat(i18n.language).format(code),
          }),
        ]
      : []),
  ];
  if (notes.length === 0) {
    return null;
  }
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>
          <IconAlertTriangle className={classes.icon} size={18} aria-hidden />
          {note}
        </li>
      ))}
    </ul>
  );
}

/** Checks of the submitted files, which count at the approval. */
function Checks({ detail: { checks } }: DetailProps) {
  const { t } = useTranslation();
  return checks ? (
    <Section title={t('checks.title')} text={t('checks.about')}>
      <CheckList checks={checks} />
    </Section>
  ) : null;
}

/** The differences of every file, scripts and tools first. */
function Changes({ detail: { changes, from, review } }: DetailProps) {
  const { t } = useTranslation();
  const layout = useDiffLayout();
  const text =
    from === undefined
      ? t('reviews.allNew', { count: review.files })
      : t('reviews.comparedWith', { version: from });
  return (
    <Section title={t('reviews.files', { count: changes.length })} text={text}>
      {layout.choice && <div className={classes.layout}>{layout.choice}</div>}
      <FileChanges changes={changes} isSplit={layout.isSplit} />
    </Section>
  );
}

function Diagnostics({ detail: { report } }: DetailProps) {
  const { t } = useTranslation();
  if (!report) {
    return null;
  }
  const { entry, body } = report.tokens;
  const tokens = `${t('skillFiles.entryTokens', { count: entry })} · ${t('skillFiles.bodyTokens', { count: body })}`;
  return (
    <Section title={t('reviews.diagnostics')} text={tokens}>
      {report.diagnostics.length === 0 ? (
        <p className={classes.fine}>
          <IconCircleCheck size={18} aria-hidden /> {t('skillFiles.noDiagnostics')}
        </p>
      ) : (
        <DiagnosticsList diagnostics={report.diagnostics} />
      )}
    </Section>
  );
}

import { type SkillReview, skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { pages } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './review-list.module.css';
import { ReviewState } from './review-state.tsx';
import { SubmittedBy } from './submitted-by.tsx';

/** Reviews of drafts: open ones, oldest first, or closed ones, newest first. */
export function ReviewList() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const state = params.get('state') === 'closed' ? 'closed' : 'open';
  const list = useInfiniteQuery(pages(skillReviewsApi.list, { query: { limit: 50, state } }));
  const reviews = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isOpen = state === 'open';
  const mayWrite = useRight('skills', 'skill-author');
  const openText = mayWrite ? 'reviews.noneOpenText' : 'reviews.noneOpenReviewer';
  return (
    <PageFrame title={t('adminPages.reviews')} description={t('reviews.about')}>
      <SegmentedControl
        className={classes.states}
        aria-label={t('reviews.filter')}
        value={state}
        onChange={(value) => setParams(value === 'closed' ? { state: value } : {})}
        data={[
          { value: 'open', label: t('reviews.open') },
          { value: 'closed', label: t('reviews.closed') },
        ]}
      />
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {list.data && reviews.length === 0 && (
        <EmptyState
          title={t(isOpen ? 'reviews.noneOpen' : 'reviews.noneClosed')}
          text={t(isOpen ? openText : 'reviews.noneClosedText')}
        />
      )}
      {reviews.length > 0 && (
        <ul className={classes.list} aria-label={t('adminPages.reviews')}>
          {reviews.map((review) => (
            <ReviewRow key={review.id} review={review} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </PageFrame>
  );
}

function ReviewRow({ review }: { review: SkillReview }) {
  const { t } = useTranslation();
  const { id, skill, message, state, decided, comments } = review;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Link className={classes.skill} to={`/admin/reviews/${id}`}>
          {skill}
        </Link>
        <p className={classes.message}>{message}</p>
        <p className={classes.facts}>
          <SubmittedBy review={review} />
          {decided && <span>{t('reviews.decidedBy', { name: decided.by })}</span>}
          {comments > 0 && <span>{t('comments.count', { count: comments })}</span>}
        </p>
      </div>
      {state !== 'open' && <ReviewState state={state} />}
    </li>
  );
}

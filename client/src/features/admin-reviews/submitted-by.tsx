import type { SkillReview } from '@knowhow/shared/skills/skill-reviews';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';

/** The author of a review, and when they submitted it. */
export function SubmittedBy({ review: { author, created } }: { review: SkillReview }) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  return (
    <>
      <span>{t('reviews.by', { name: author })}</span>
      <time dateTime={created} title={date(created)}>
        {relativeDate(created)}
      </time>
    </>
  );
}

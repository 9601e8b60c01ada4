import type { SkillReview } from '@knowhow/shared/skills/skill-reviews';
import { useTranslation } from 'react-i18next';
import classes from '../../ui/layout/review-state.module.css';

const texts = {
  open: 'reviews.state.open',
  approved: 'reviews.state.approved',
  returned: 'reviews.state.returned',
  withdrawn: 'reviews.state.withdrawn',
} as const satisfies Record<SkillReview['state'], string>;

/** The state of a review. */
export function ReviewState({ state }: Pick<SkillReview, 'state'>) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-state={state}>
      {t(texts[state])}
    </span>
  );
}

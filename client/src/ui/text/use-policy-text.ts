import type { policySchema } from '@knowhow/shared/skills/publishing-policy';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

/**
 * Says whether a change needs a review, and whose policy that is.
 *
 * @param mayApprove whether the reader may approve the change, also as its author
 */
export function usePolicyText() {
  const { t, i18n } = useTranslation();
  return (
    { mode, fourEyes, categories }: z.infer<typeof policySchema>,
    mayApprove = false,
  ): string => {
    if (mode === 'direct' && !mayApprove) {
      // Authors of a category publish through a review only, whatever the policy is.
      return t('policy.ofAuthors');
    }
    const own = mode === 'direct' ? 'ownDirect' : 'ownReview';
    const what = mayApprove ? own : fourEyes ? 'fourEyes' : 'review';
    const list = new Intl.ListFormat(i18n.language).format(categories);
    const why =
      categories.length > 0 ? t('policy.ofCategory', { categories: list }) : t('policy.general');
    return `${t(policyTexts[what])} ${why}`;
  };
}

const policyTexts = {
  ownDirect: 'policy.ownDirect',
  ownReview: 'policy.ownReview',
  review: 'policy.review',
  fourEyes: 'policy.fourEyes',
} as const;

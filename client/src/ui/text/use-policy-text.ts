import type { policySchema } from '@knowhow/shared/skills/publishing-policy';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

/** Says whether a change needs a review, and whose policy that is. */
export function usePolicyText() {
  const { t, i18n } = useTranslation();
  return ({ mode, fourEyes, categories }: z.infer<typeof policySchema>) => {
    const what = mode === 'direct' ? 'direct' : fourEyes ? 'fourEyes' : 'review';
    const list = new Intl.ListFormat(i18n.language).format(categories);
    const why =
      categories.length > 0 ? t('policy.ofCategory', { categories: list }) : t('policy.general');
    return `${t(policyTexts[what])} ${why}`;
  };
}

const policyTexts = {
  direct: 'policy.direct',
  review: 'policy.review',
  fourEyes: 'policy.fourEyes',
} as const;

import type { CheckOverride } from '@knowhow/shared/skills/publication-checks';
import { useTranslation } from 'react-i18next';
import { checkTexts } from './check-texts.ts';

/** Returns the sentence about failed checks that were overridden, and why. */
export function useOverrideText(): (override: CheckOverride) => string {
  const { t, i18n } = useTranslation();
  return ({ checks, reason }) => {
    const names = checks.map((id) => t(checkTexts[id].name));
    return t('checks.overridden', {
      checks: new Intl.ListFormat(i18n.language).format(names),
      reason,
    });
  };
}

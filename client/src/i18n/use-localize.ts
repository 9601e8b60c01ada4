import { type Localized, localize } from '@knowhow/shared/config/localized';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns a content's text in the interface language. */
export function useLocalize(): (text: Localized | undefined) => string {
  const { i18n } = useTranslation();
  return useCallback((text) => localize(text, i18n.language), [i18n.language]);
}

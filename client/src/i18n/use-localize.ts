import { type Localized, localize } from '@knowhow/shared/config/localized';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Gives a content's text in the language of the interface. */
export function useLocalize(): (text: Localized | undefined) => string {
  const { i18n } = useTranslation();
  return useCallback((text) => localize(text, i18n.language), [i18n.language]);
}

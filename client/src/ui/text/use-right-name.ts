import { everyRight } from '@knowhow/shared/access/admin-rights';
import { useTranslation } from 'react-i18next';
import { rightNames } from './right-names.ts';

/** The label of an admin permission, or of all; an unknown one is returned unchanged. */
export function useRightName(): (right: string) => string {
  const { t } = useTranslation();
  const names: Record<string, (typeof rightNames)[keyof typeof rightNames]> = rightNames;
  return (right) => {
    const name = names[right];
    return right === everyRight ? right : name ? t(name) : right;
  };
}

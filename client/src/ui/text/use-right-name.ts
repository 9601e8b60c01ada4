import { everyRight } from '@knowhow/shared/access/admin-rights';
import { useTranslation } from 'react-i18next';
import { rightNames } from './right-names.ts';

/** What people read of a right, or of all; an unknown one is shown as it is. */
export function useRightName(): (right: string) => string {
  const { t } = useTranslation();
  const names: Record<string, (typeof rightNames)[keyof typeof rightNames]> = rightNames;
  return (right) => {
    const name = names[right];
    return right === everyRight ? right : name ? t(name) : right;
  };
}

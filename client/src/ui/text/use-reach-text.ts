import type { BulkReach } from '@knowhow/shared/skills/skill-bulk';
import { useTranslation } from 'react-i18next';

/** A sentence about how many people and apps a change of skills reaches. */
export function useReachText(): (reach: BulkReach) => string {
  const { t } = useTranslation();
  return (reach) =>
    t('adminParts.reach', {
      people: t('adminParts.reachPeople', { count: reach.people }),
      apps: t('adminParts.reachApps', { count: reach.apps }),
    });
}

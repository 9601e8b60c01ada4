import type { SkillReviewDetail } from '@knowhow/shared/skills/skill-reviews';
import { useTranslation } from 'react-i18next';
import { useAppNames } from '../../ui/text/use-app-names.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';

/** Apps that follow or pin the skill, groups that may use it, and its recent use. */
export function AffectedByReview({ affected }: Pick<SkillReviewDetail, 'affected'>) {
  const { t, i18n } = useTranslation();
  const { number } = useFormat();
  const apps = useAppNames();
  const groups = useGroupNames();
  const list = new Intl.ListFormat(i18n.language);
  const { following, pinned, groups: groupIds, uses } = affected;
  const nameOf = (id: string) => apps.get(id) ?? id;
  return (
    <ul>
      <li>
        {following.length > 0
          ? t('reviews.following', {
              count: following.length,
              apps: list.format(following.map(nameOf)),
            })
          : t('reviews.noneFollowing')}
      </li>
      {pinned.map(({ app, version }) => (
        <li key={app}>{t('reviews.pinned', { app: nameOf(app), version })}</li>
      ))}
      <li>
        {groupIds.length > 0
          ? t('reviews.groups', {
              count: groupIds.length,
              groups: list.format(groupIds.map((id) => groups.get(id) ?? id)),
            })
          : t('reviews.noGroups')}
      </li>
      {uses !== undefined && <li>{t('reviews.uses', { count: uses, formatted: number(uses) })}</li>}
    </ul>
  );
}

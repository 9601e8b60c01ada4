import type { LibrarySkill } from '@knowhow/shared/skills/library';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';

/** How often a skill is used, and its published version, unless it was never changed. */
export function SkillUse({ skill }: { skill: Pick<LibrarySkill, 'uses' | 'published'> }) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  const { uses = 0, published } = skill;
  return (
    <>
      {uses > 0 && <span>{t('library.uses', { count: uses })}</span>}
      {published && published.number > 1 && (
        <span title={date(published.at)}>
          {t('library.version', { version: published.number, when: relativeDate(published.at) })}
        </span>
      )}
    </>
  );
}

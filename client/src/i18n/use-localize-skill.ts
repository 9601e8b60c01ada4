import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

type SkillWords = Parameters<typeof localizeSkill>[0];

/** Returns a skill's title and description in the interface language, if they are translated. */
export function useLocalizeSkill(): (skill: SkillWords) => ReturnType<typeof localizeSkill> {
  const { i18n } = useTranslation();
  return useCallback((skill) => localizeSkill(skill, i18n.language), [i18n.language]);
}

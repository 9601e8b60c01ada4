import { useTranslation } from 'react-i18next';
import type { NewSkill } from './new-skill.ts';

/** The instructions: typed, or the template in the reader's language. */
export function useBody({ body, template, title }: NewSkill): string {
  const { t } = useTranslation();
  return body ?? t(texts[template], { title: title.trim() || t('newSkill.untitled') });
}

const texts = {
  procedure: 'newSkill.bodies.procedure',
  style: 'newSkill.bodies.style',
  checklist: 'newSkill.bodies.checklist',
  empty: 'newSkill.bodies.empty',
} as const;

import { localizeSkill, type SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { grantsSkill, type SkillGrant } from '../identity/index.ts';
import { isEnabled, shownTexts, toGrantedSkill } from './skill-settings.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';

/** A skill as people without access see it. */
export interface RequestableSkill {
  name: string;
  displayName: string;
  description: string;
  translations: SkillTranslations | undefined;
}

/** Skills that are discoverable, enabled, and not granted to the caller, by their titles in a language. */
export function listRequestable(
  { skills }: SkillSnapshot,
  config: SkillsConfig,
  { grant, language }: { grant: SkillGrant; language: string },
): RequestableSkill[] {
  return Object.entries(config.skills ?? {})
    .flatMap(([name, entry]) => {
      const skill = skills.get(name);
      const isOffered = entry.discoverable === true && skill && isEnabled(skill, config);
      return isOffered && !grantsSkill(grant, toGrantedSkill(skill))
        ? [{ name, ...shownTexts(skill, entry) }]
        : [];
    })
    .map((skill) => ({ skill, title: localizeSkill(skill, language).title }))
    .sort((one, other) => byName.compare(one.title, other.title))
    .map(({ skill }) => skill);
}

const byName = new Intl.Collator('en', { numeric: true });

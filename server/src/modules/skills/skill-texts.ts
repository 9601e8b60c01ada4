import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { getSkillSettings, shownTexts } from './skill-settings.ts';
import type { SkillTexts } from './skill-terms.ts';
import type { StoredSkill } from './store/skill-source.ts';
import type { SkillStore } from './store/skill-store.ts';

/** Key of a skill's texts, which changes with them. */
export function skillStateKey(skill: StoredSkill, config: SkillsConfig): string {
  const { overrides } = getSkillSettings(skill.id, config) ?? {};
  return overrides ? `${skill.checksum} ${JSON.stringify(overrides)}` : skill.checksum;
}

/** @param store for reading the body; without it, the body is empty */
export async function loadSkillTexts(
  skill: StoredSkill,
  config: SkillsConfig,
  store: Pick<SkillStore, 'readText'> | undefined,
): Promise<SkillTexts> {
  const { id, category, tags } = skill;
  // A skill that cannot be read now is found by name and description.
  const text = await store?.readText(skill).catch(() => undefined);
  return {
    name: id,
    ...shownTexts(skill, getSkillSettings(id, config)),
    tags: category === undefined ? tags : [...tags, category],
    triggers: text?.triggers ?? '',
    body: text?.body ?? '',
  };
}

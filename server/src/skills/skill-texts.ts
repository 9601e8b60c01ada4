import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { StoredSkill } from '../skill-store/skill-source.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { settingsOf, shownTexts } from './skill-settings.ts';
import type { SkillTexts } from './skill-terms.ts';

/** What the texts of a skill follow from: the same as long as they are. */
export function stateOf(skill: StoredSkill, config: SkillsConfig): string {
  const { overrides } = settingsOf(skill.id, config) ?? {};
  return overrides ? `${skill.checksum} ${JSON.stringify(overrides)}` : skill.checksum;
}

/** @param store where the rest of the text is read; without one, there is no body yet */
export async function textsOf(
  skill: StoredSkill,
  config: SkillsConfig,
  store: Pick<SkillStore, 'readText'> | undefined,
): Promise<SkillTexts> {
  const { id, category, tags } = skill;
  // What cannot be read just now is found by its name and description.
  const text = await store?.readText(skill).catch(() => undefined);
  return {
    name: id,
    ...shownTexts(skill, settingsOf(id, config)),
    tags: category === undefined ? tags : [...tags, category],
    triggers: text?.triggers ?? '',
    body: text?.body ?? '',
  };
}

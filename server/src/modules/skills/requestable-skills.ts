import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { type Grant, grants } from '../identity/index.ts';
import { isEnabled, shownTexts } from './skill-settings.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';

/** A skill as people without access see it. */
export interface RequestableSkill {
  name: string;
  displayName: string;
  description: string;
}

/** Skills that are discoverable, enabled, and not granted to the caller, by name. */
export function listRequestable(
  { skills }: SkillSnapshot,
  config: SkillsConfig,
  grant: Grant,
): RequestableSkill[] {
  return Object.entries(config.skills ?? {})
    .flatMap(([name, entry]) => {
      const skill = skills.get(name);
      const isOffered = entry.discoverable === true && skill && isEnabled(skill, config);
      return isOffered && !grants(grant, name) ? [{ name, ...shownTexts(skill, entry) }] : [];
    })
    .sort((one, other) => byName.compare(one.displayName, other.displayName));
}

const byName = new Intl.Collator('en', { numeric: true });

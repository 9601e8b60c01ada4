import type { SkillsConfig } from '@knowhow/shared/skills-config';
import type { SkillSnapshot } from './skill-snapshot.ts';
import { isEnabled } from './skill-view.ts';

/** How many skills are offered, switched off, or cannot be offered as they are. */
export function countSkills(
  { skills, shadowed, unreadable }: SkillSnapshot,
  config: SkillsConfig,
): { loaded: number; disabled: number; broken: number } {
  const counts = { loaded: 0, disabled: 0, broken: unreadable.length + shadowed.length };
  for (const skill of skills.values()) {
    if (isEnabled(skill, config)) {
      counts.loaded += 1;
    } else if (skill.enabledByDefault) {
      counts.disabled += 1;
    } else {
      counts.broken += 1;
    }
  }
  return counts;
}

import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { isEnabled } from './skill-settings.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';

/** Number of enabled, disabled and broken skills. Shadowed skills do not count. */
export function countSkills(
  { skills, unreadable }: SkillSnapshot,
  config: SkillsConfig,
): { loaded: number; disabled: number; broken: number } {
  const counts = { loaded: 0, disabled: 0, broken: unreadable.length };
  for (const skill of skills.values()) {
    if (isEnabled(skill, config)) {
      counts.loaded += 1;
    } else if (skill.loads) {
      counts.disabled += 1;
    } else {
      counts.broken += 1;
    }
  }
  return counts;
}

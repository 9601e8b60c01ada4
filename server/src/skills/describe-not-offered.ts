import type { SkillsConfig } from '@knowhow/shared/skills-config';
import { describeDiagnostic, pathToTell } from '../skill-store/describe-broken.ts';
import type { SkillSnapshot } from '../skill-store/skill-snapshot.ts';
import type { StoredSkill } from '../skill-store/skill-source.ts';
import { isEnabled } from './skill-view.ts';

/** One line for each skill that is not offered: its path, why, and what to do. */
export function describeNotOffered(
  { skills, shadowed, unreadable }: SkillSnapshot,
  config: SkillsConfig,
): string[] {
  const off = [...skills.values()].filter((skill) => !isEnabled(skill, config));
  return [...[...off, ...shadowed].map(describeSkill), ...unreadable.map(describeDiagnostic)];
}

/** By the first error, which the others may follow from; without any, somebody has switched it off. */
function describeSkill(skill: StoredSkill): string {
  const { source, path } = skill;
  const diagnostic = skill.diagnostics.find(({ severity }) => severity === 'error');
  return diagnostic
    ? describeDiagnostic({ source, path, diagnostic })
    : `${pathToTell(skill)}: It is switched off in config/skills.json.`;
}

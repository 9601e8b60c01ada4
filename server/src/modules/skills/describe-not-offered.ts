import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { getBlock, isEnabled } from './skill-settings.ts';
import { describeDiagnostic, pathToTell } from './store/describe-broken.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';
import type { StoredSkill } from './store/skill-source.ts';

/** One line for each skill that is not offered: its path, why, and what to do. */
export function describeNotOffered(snapshot: SkillSnapshot, config: SkillsConfig): string[] {
  const { edited, shadowed, unreadable } = snapshot;
  const before = edited ? offIn(edited.from, config) : offIn(snapshot, config);
  const off = edited
    ? [...before.filter(({ id }) => !edited.skills.has(id)), ...offOf(edited.skills, config)]
    : before;
  return [
    ...[...off, ...shadowed].map((skill) => describeSkill(skill, config)),
    ...unreadable.map(describeDiagnostic),
  ];
}

/** Cached per snapshot, so that an edit does not check all skills again. */
function offIn(snapshot: SkillSnapshot, config: SkillsConfig): readonly StoredSkill[] {
  const known = cache.get(snapshot);
  if (known?.config === config) {
    return known.off;
  }
  const off = offOf(snapshot.skills, config);
  cache.set(snapshot, { config, off });
  return off;
}

const cache = new WeakMap<SkillSnapshot, { config: SkillsConfig; off: readonly StoredSkill[] }>();

function offOf(skills: SkillSnapshot['skills'], config: SkillsConfig): StoredSkill[] {
  return [...skills.values()].filter((skill) => !isEnabled(skill, config));
}

/** By the first error, which may have caused the others; without any, an admin has disabled it. */
function describeSkill(skill: StoredSkill, config: SkillsConfig): string {
  const { source, path } = skill;
  const block = getBlock(skill.id, config);
  if (block) {
    return `${pathToTell(skill)}: It is blocked in config/skills.json: ${block.reason}`;
  }
  const diagnostic = skill.diagnostics.find(({ severity }) => severity === 'error');
  return diagnostic
    ? describeDiagnostic({ source, path, diagnostic })
    : `${pathToTell(skill)}: It is switched off in config/skills.json.`;
}

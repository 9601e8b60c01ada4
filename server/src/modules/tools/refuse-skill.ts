import type { SkillView } from '../skills/index.ts';
import type { RefusedSkill } from './tool.ts';

/** A denied activation, with the version that the caller would have got. */
export function refuseSkill(view: SkillView, name: string, why: RefusedSkill['why']): RefusedSkill {
  const skill = view.find(name);
  const version = skill && view.getVersion(skill);
  return { name, why, ...(version ? { version: version.number } : {}) };
}

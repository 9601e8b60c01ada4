import type { ActiveSkill, SkillView, VisibleSkill } from '../skills/index.ts';
import type { SkillCall } from './tool.ts';

/** Maximum tokens of a result; some hosts truncate or offload more. */
export const maxResultTokens = 20_000;

/** A call without a conversation, in which the given skills count as active. */
export function callWithoutTurn(view: SkillView, active: readonly VisibleSkill[]): SkillCall {
  return {
    view,
    active: new Map(active.map((skill) => [skill.id, asActive(skill)])),
    maxActiveSkills: 1,
    modelSees: true,
    resultTokenBudget: maxResultTokens,
    maxSkillTokens: maxResultTokens,
    misses: { count: 0 },
  };
}

function asActive({ id: name, description, checksum }: VisibleSkill): ActiveSkill {
  return { activation: { name, description, via: 'model', tokens: 0, checksum }, content: '' };
}

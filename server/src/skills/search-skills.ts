import { type Searchable, scorerFor, searchable } from '@knowhow/shared/scorer-for';
import type { VisibleSkill } from './skill-view.ts';

export interface FoundSkill {
  skill: VisibleSkill;
  /** From 1, its very name, down to just above 0. */
  score: number;
}

/** The skills that fit what was typed, best first; of equals those that come first in the view. */
export function searchSkills(skills: readonly VisibleSkill[], typed: string): FoundSkill[] {
  const scoreOf = scorerFor(typed);
  return skills
    .map((skill) => ({ skill, score: scoreOf(searchableSkill(skill)) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** Kept as long as the skill stays as it is: of thousands it takes a while, and each letter asks. */
const kept = new WeakMap<VisibleSkill, Searchable>();

function searchableSkill(skill: VisibleSkill): Searchable {
  const known = kept.get(skill);
  if (known) {
    return known;
  }
  const { id, displayName, argumentHint = '', tags, description } = skill;
  const made = searchable({
    name: id,
    otherNames: [displayName, argumentHint, ...tags],
    description,
  });
  kept.set(skill, made);
  return made;
}

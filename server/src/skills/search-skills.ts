import { type Searchable, scorerFor, searchable } from '@knowhow/shared/skills/scorer-for';
import type { SkillView, VisibleSkill } from './skill-view.ts';

export interface FoundSkill {
  skill: VisibleSkill;
  /** From 1, its very name, down to just above 0. */
  score: number;
}

/** With fewer skills, whoever types reads all that holds the letters; and the palette searches by itself. */
export const rankedAbove = 500;
/** Names, and what a skill is also called, score so much or more: they come before all else. */
const named = 0.6;

/**
 * The skills of a view that fit what was typed, best first; of equals those that come first in the view.
 * Among many, what is not found by its name comes by how well all that it says fits.
 */
export function searchSkills(view: SkillView, typed: string): FoundSkill[] {
  const scoreOf = scorerFor(typed);
  const byLetters = view.skills.map((skill) => ({ skill, score: scoreOf(searchableSkill(skill)) }));
  const found = view.skills.length > rankedAbove ? withRanking(byLetters, view, typed) : byLetters;
  return found.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}

function withRanking(byLetters: FoundSkill[], view: SkillView, typed: string): FoundSkill[] {
  const ranked = view.rank(typed, view.skills.length);
  const best = ranked[0]?.score ?? 1;
  const fits = new Map(ranked.map(({ skill, score }) => [skill, score / best]));
  return byLetters.map(({ skill, score }) => ({
    skill,
    score: score >= named ? score : (score + named * (fits.get(skill) ?? 0)) / 2,
  }));
}

/** Kept as long as the skill stays as it is: of thousands it takes a while, and each letter asks. */
const kept = new WeakMap<VisibleSkill, Searchable>();

function searchableSkill(skill: VisibleSkill): Searchable {
  const known = kept.get(skill);
  if (known) {
    return known;
  }
  const { id, displayName, argumentHint = '', tags, category = '', description } = skill;
  const made = searchable({
    name: id,
    otherNames: [displayName, argumentHint, ...tags, category],
    description,
  });
  kept.set(skill, made);
  return made;
}

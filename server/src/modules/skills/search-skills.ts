import { createScorer, type Searchable, searchable } from '@knowhow/shared/skills/scorer-for';
import { withDeprecatedLast } from './deprecated-skills.ts';
import type { SkillView } from './skill-view.ts';
import type { VisibleSkill } from './visible-skill.ts';

export interface FoundSkill {
  skill: VisibleSkill;
  /** From 1 (exact name) down to just above 0. */
  score: number;
}

/** With fewer skills, matching by letters is enough, and the palette searches in the client. */
export const rankedAbove = 500;
/** Minimum score of a match in a name; these come before all others. */
const nameScore = 0.6;

/**
 * Skills that match the typed text, best first, and deprecated ones last; ties are in the order of the view. Among many
 * skills, those without a match in the name are ordered by full-text ranking.
 */
export function searchSkills(view: SkillView, typed: string): readonly FoundSkill[] {
  const scoreOf = createScorer(typed);
  const isRanked = view.skills.length > rankedAbove;
  // The index finds the words of translated descriptions, which would double the time of a search by letters.
  const toSearchable = isRanked ? getNames : getAllTexts;
  const byLetters = view.skills.map((skill) => ({ skill, score: scoreOf(toSearchable(skill)) }));
  const found = isRanked ? withRanking(byLetters, view, typed) : byLetters;
  const sorted = found
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return withDeprecatedLast(sorted, ({ skill }) => skill);
}

function withRanking(byLetters: FoundSkill[], view: SkillView, typed: string): FoundSkill[] {
  const ranked = view.rank(typed, view.skills.length);
  const best = ranked[0]?.score ?? 1;
  const fits = new Map(ranked.map(({ skill, score }) => [skill, score / best]));
  return byLetters.map(({ skill, score }) => ({
    skill,
    score: score >= nameScore ? score : (score + nameScore * (fits.get(skill) ?? 0)) / 2,
  }));
}

/** Names in all languages, and the original description. */
const getNames = cacheBySkill(({ description }) => description);
/** Names and descriptions in all languages. */
const getAllTexts = cacheBySkill(({ description, translations }) =>
  [description, ...Object.values(translations?.description ?? {})].join(' '),
);

/** Cached per skill, because every keystroke searches thousands of skills. */
function cacheBySkill(describe: (skill: VisibleSkill) => string) {
  const cache = new WeakMap<VisibleSkill, Searchable>();
  return (skill: VisibleSkill): Searchable => {
    const known = cache.get(skill);
    if (known) {
      return known;
    }
    const { id, displayName, translations, argumentHint = '', tags, category = '' } = skill;
    const titles = Object.values(translations?.title ?? {});
    const result = searchable({
      name: id,
      otherNames: [displayName, ...titles, argumentHint, ...tags, category],
      description: describe(skill),
    });
    cache.set(skill, result);
    return result;
  };
}

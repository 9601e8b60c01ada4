import { scorerFor, searchable } from '@knowhow/shared/skills/scorer-for';
import { rankedAbove } from '../skills/search-skills.ts';
import type { SkillRanking } from '../skills/skill-ranking.ts';
import type { SkillEntry } from './skill-entries.ts';

/** So many are found that do not hold what was typed letter by letter. */
const most = 100;

/** How entries fit what was typed. */
export interface EntryRanking {
  /** Whether one fits by all that it says. */
  has(entry: SkillEntry): boolean;
  /** Best first: those of that name, then those that fit. */
  sort(entries: readonly SkillEntry[]): SkillEntry[];
}

/** Undefined where nothing was typed, or too few skills are there to rank them. */
export function rankEntries(
  entries: readonly SkillEntry[],
  typed: string,
  ranking: SkillRanking,
): EntryRanking | undefined {
  if (entries.length <= rankedAbove || typed.trim() === '') {
    return undefined;
  }
  const skills = entries.flatMap(({ stored, state }) =>
    stored && state === 'offered' ? [stored] : [],
  );
  const ranked = ranking.rank(typed, skills, most);
  const best = ranked[0]?.score ?? 1;
  const fits = new Map(ranked.map(({ skill, score }) => [skill, score / best]));
  const fitOf = ({ stored }: SkillEntry) => (stored && fits.get(stored)) ?? 0;
  const nameScore = scorerFor(typed);
  const scoreOf = (entry: SkillEntry) => {
    const { name, skill } = entry;
    return (
      2 * nameScore(searchable({ name, otherNames: [skill.displayName], description: '' })) +
      fitOf(entry)
    );
  };
  return {
    has: (entry) => fitOf(entry) > 0,
    sort: (found) =>
      found
        .map((entry) => ({ entry, score: scoreOf(entry) }))
        .sort((one, other) => other.score - one.score)
        .map(({ entry }) => entry),
  };
}

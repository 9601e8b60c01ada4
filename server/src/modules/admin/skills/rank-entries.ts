import { createScorer, searchable } from '@knowhow/shared/skills/scorer-for';
import { rankedAbove } from '../../skills/search-skills.ts';
import type { SkillRanking } from '../../skills/skill-ranking.ts';
import type { SkillEntry } from './skill-entries.ts';

/** Maximum number of results without a literal match. */
const maxRanked = 100;

/** Ranking of entries for a search. */
export interface EntryRanking {
  /** Whether an entry matches by its full text. */
  has(entry: SkillEntry): boolean;
  /** Best first: name matches, then full-text matches. */
  sort(entries: readonly SkillEntry[]): SkillEntry[];
}

/** Undefined without a query, or with too few skills for ranking. */
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
  const ranked = ranking.rank(typed, skills, maxRanked);
  const best = ranked[0]?.score ?? 1;
  const fits = new Map(ranked.map(({ skill, score }) => [skill, score / best]));
  const fitOf = ({ stored }: SkillEntry) => (stored && fits.get(stored)) ?? 0;
  const nameScore = createScorer(typed);
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

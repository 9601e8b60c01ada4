import type { Nearness } from './similar-skills.ts';
import type { Ranked, SkillRanking } from './skill-ranking.ts';

/** Semantic similarity of questions to skills. */
export interface Meanings {
  /**
   * Like `SkillRanking.understand`: computes the embedding of a text, if useful now. Never rejects.
   */
  understand(text: string): Promise<boolean>;
  /** Undefined for a text without an embedding. */
  nearTo(text: string): Nearness | undefined;
}

/** Maximum number of results taken from each ranking. */
const maxFused = 200;
const maxNear = 100;
/** Threshold between the average similarity (0) and the best (1). */
const minNear = 1 / 2;
/**
 * The constant of reciprocal rank fusion. With the usual 60, rank 30 still counts a third less than
 * the best; here rank 6 does.
 */
const evenness = 10;

/** Ranks by words and, for texts with an embedding, by meaning, with reciprocal rank fusion. */
export function fuseRankings(byWords: SkillRanking, meanings: Meanings): SkillRanking {
  return {
    understand: (text) => meanings.understand(text),
    rank: (text, skills, most) => {
      const nearTo = meanings.nearTo(text);
      if (!nearTo) {
        return byWords.rank(text, skills, most);
      }
      const scores = new Map<(typeof skills)[number], number>();
      const found = byWords.rank(text, skills, Math.max(most, maxFused));
      for (const ranking of [found, nearest(skills, nearTo)]) {
        for (const [place, { skill }] of ranking.entries()) {
          scores.set(skill, (scores.get(skill) ?? 0) + 1 / (evenness + 1 + place));
        }
      }
      return [...scores]
        .map(([skill, score]) => ({ skill, score }))
        .sort((one, other) => other.score - one.score)
        .slice(0, most);
    },
  };
}

/** The skills that are clearly more similar than average, best first. */
function nearest<Skill extends { id: string }>(
  skills: readonly Skill[],
  nearTo: Nearness,
): Ranked<Skill>[] {
  const known = skills.flatMap((skill) => {
    const score = nearTo(skill.id);
    return score === undefined ? [] : [{ skill, score }];
  });
  const usual = known.reduce((sum, { score }) => sum + score, 0) / known.length;
  const best = known.reduce((found, { score }) => Math.max(found, score), -1);
  const least = usual + (best - usual) * minNear;
  return known
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxNear);
}

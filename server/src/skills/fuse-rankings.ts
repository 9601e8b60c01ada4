import type { Nearness } from './similar-skills.ts';
import type { Ranked, SkillRanking } from './skill-ranking.ts';

/** What an embedder says of questions. */
export interface Meanings {
  /** As that of a ranking: asks for the meaning of a text, if that is any use now. Never rejects. */
  understand(text: string): Promise<boolean>;
  /** Undefined for a text that has not been understood. */
  nearTo(text: string): Nearness | undefined;
}

/** From one of the two rankings no more than these are taken. */
const mostFused = 200;
const mostNear = 100;
/** What is not as near as half of the way from the usual to the nearest skill is not near. */
const leastNear = 1 / 2;
/**
 * How much less the second counts than the first. With the usual 60, what one of the rankings has at its 30th
 * place counts for a third of the best; here it is what it has at its sixth.
 */
const evenness = 10;

/**
 * A ranking by words and, where a text has been understood, by meaning: both are fused by the reciprocals of
 * the places they give.
 */
export function fuseRankings(byWords: SkillRanking, meanings: Meanings): SkillRanking {
  return {
    understand: (text) => meanings.understand(text),
    rank: (text, skills, most) => {
      const nearTo = meanings.nearTo(text);
      if (!nearTo) {
        return byWords.rank(text, skills, most);
      }
      const scores = new Map<(typeof skills)[number], number>();
      const found = byWords.rank(text, skills, Math.max(most, mostFused));
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

/** Of these skills those that are clearly nearer than the usual one, the nearest first. */
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
  const least = usual + (best - usual) * leastNear;
  return known
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostNear);
}

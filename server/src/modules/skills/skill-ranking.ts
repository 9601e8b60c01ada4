import { heaviest, nameBit, type QueryTerm, queryTerms } from './skill-terms.ts';
import { findRange, type TermSegment } from './term-segment.ts';

/** Ranks skills by how well they match a text. */
export interface SkillRanking {
  /**
   * Call before ranking a text, if a short delay is acceptable. Returns whether there is new
   * information, so that the order may change.
   */
  understand(text: string): Promise<boolean>;
  /**
   * The best of the given skills, best first, without those that do not match. Other skills in the
   * index only affect how rare a word is.
   */
  rank<Skill extends { id: string }>(
    text: string,
    skills: readonly Skill[],
    most: number,
  ): Ranked<Skill>[];
}

export interface Ranked<Skill> {
  skill: Skill;
  /** Above 0; comparable only within a call. */
  score: number;
}

/** The input of a ranking, at any time. */
export interface RankingState {
  readonly segments: readonly TermSegment[];
  /** Slots of the skills by id. */
  readonly slots: ReadonlyMap<string, number>;
  /** Number of distinct terms in each skill's name, by slot. */
  readonly nameTerms: ArrayLike<number>;
  /** Changes whenever a skill gets another slot. */
  readonly numbering: number;
}

/** Further terms of a question add no information. */
const maxTerms = 64;
/** How fast repetitions of a term in the question saturate. */
const querySaturation = 2;

/** BM25 over all texts of a skill, with a bonus if much of its name is mentioned. */
export function createRanking(state: RankingState): SkillRanking {
  const numbers = slotCache(state);
  return {
    understand: () => Promise.resolve(false),
    rank: (text, skills, most) => {
      const all = scoresFor(text, state);
      const slots = numbers(skills);
      const scores = new Float32Array(skills.length);
      for (let at = 0; at < scores.length; at += 1) {
        scores[at] = all[slots[at] ?? -1] ?? 0;
      }
      const least = minBestScore(scores, most);
      const best: Ranked<(typeof skills)[number]>[] = [];
      for (const [at, score] of scores.entries()) {
        const skill = score > 0 && score >= least ? skills[at] : undefined;
        if (skill) {
          best.push({ skill, score });
        }
      }
      return best.sort((one, other) => other.score - one.score).slice(0, most);
    },
  };
}

/** Slots of the skills in a list, cached per list, because a view is ranked repeatedly. */
function slotCache(state: RankingState) {
  const known = new WeakMap<readonly unknown[], { numbering: number; slots: Int32Array }>();
  return (skills: readonly { id: string }[]): Int32Array => {
    const before = known.get(skills);
    if (before?.numbering === state.numbering) {
      return before.slots;
    }
    const slots = Int32Array.from(skills, ({ id }) => state.slots.get(id) ?? -1);
    known.set(skills, { numbering: state.numbering, slots });
    return slots;
  };
}

/**
 * The lowest score among the best. Sorting numbers takes a tenth of the time of sorting objects.
 */
function minBestScore(scores: Float32Array, most: number): number {
  return scores.toSorted()[Math.max(0, scores.length - most)] ?? 0;
}

/** Scores by slot. */
function scoresFor(text: string, { segments, slots, nameTerms }: RankingState): Float32Array {
  const scores = new Float32Array(nameTerms.length);
  const named = {
    rarity: new Float32Array(nameTerms.length),
    terms: new Uint8Array(nameTerms.length),
  };
  for (const term of rarestTerms(queryTerms(text), segments, slots.size)) {
    for (const [at, { slots: of, weights }] of segments.entries()) {
      const [start, end] = term.ranges[at] ?? [0, 0];
      for (let entry = start; entry < end; entry += 1) {
        const slot = of[entry] ?? 0;
        const weight = weights[entry] ?? 0;
        scores[slot] = (scores[slot] ?? 0) + (term.value * (weight & heaviest)) / heaviest;
        if (weight >= nameBit) {
          named.rarity[slot] = (named.rarity[slot] ?? 0) + term.rarity;
          named.terms[slot] = (named.terms[slot] ?? 0) + 1;
        }
      }
    }
  }
  for (let slot = 0; slot < scores.length; slot += 1) {
    const terms = named.terms[slot] ?? 0;
    if (terms > 0) {
      const share = Math.min(1, terms / (nameTerms[slot] || 1));
      scores[slot] = (scores[slot] ?? 0) + (named.rarity[slot] ?? 0) * share ** 2;
    }
  }
  return scores;
}

interface WeightedTerm {
  rarity: number;
  /** The score of the best skill for it. */
  value: number;
  /** Range of its skills in each segment. */
  ranges: (readonly [start: number, end: number])[];
}

function rarestTerms(
  terms: readonly QueryTerm[],
  segments: readonly TermSegment[],
  skills: number,
): WeightedTerm[] {
  const weighed = terms.flatMap(({ hash, count }): WeightedTerm[] => {
    const ranges = segments.map((segment) => findRange(segment, hash));
    // Outdated states of changed skills count until they are cleaned up.
    const found = Math.min(
      skills,
      ranges.reduce((sum, [start, end]) => sum + end - start, 0),
    );
    const rarity = Math.log(1 + (skills - found + 0.5) / (found + 0.5));
    const value = (rarity * count * (1 + querySaturation)) / (count + querySaturation);
    return found === 0 ? [] : [{ rarity, value, ranges }];
  });
  return weighed.sort((one, other) => other.value - one.value).slice(0, maxTerms);
}

import { heaviest, nameBit, type QueryTerm, queryTerms } from './skill-terms.ts';
import { rangeOf, type TermSegment } from './term-segment.ts';

/** Ranks skills by how well they fit what somebody wrote. */
export interface SkillRanking {
  /**
   * To be called before a text is ranked, where that is worth a moment. Answers whether more is known of it
   * than before, so that the order may be another one.
   */
  understand(text: string): Promise<boolean>;
  /**
   * Of the given skills those that fit best, but none that does not fit at all; best first. What else is
   * in the index counts for how rare a word is, and for nothing more.
   */
  rank<Skill extends { id: string }>(
    text: string,
    skills: readonly Skill[],
    most: number,
  ): Ranked<Skill>[];
}

export interface Ranked<Skill> {
  skill: Skill;
  /** Above 0; only to be compared with others of the same call. */
  score: number;
}

/** What a ranking is made of, at any moment. */
export interface RankingState {
  readonly segments: readonly TermSegment[];
  /** Numbers of the skills by id. */
  readonly slots: ReadonlyMap<string, number>;
  /** Different terms in the name of each skill, by its number. */
  readonly nameTerms: ArrayLike<number>;
  /** Another one whenever a skill has another number. */
  readonly numbering: number;
}

/** More terms of a question than that say nothing more. */
const maxTerms = 64;
/** How soon it counts no more that a term is repeated in the question. */
const querySaturation = 2;

/** BM25 over all that is said of a skill, and more where a good part of its name is asked for. */
export function createRanking(state: RankingState): SkillRanking {
  const numbers = numbersOnce(state);
  return {
    understand: () => Promise.resolve(false),
    rank: (text, skills, most) => {
      const all = scoresFor(text, state);
      const slots = numbers(skills);
      const scores = new Float32Array(skills.length);
      for (let at = 0; at < scores.length; at += 1) {
        scores[at] = all[slots[at] ?? -1] ?? 0;
      }
      const least = leastOfBest(scores, most);
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

/** The number of each skill in a list, looked up once for a list: a view is ranked again and again. */
function numbersOnce(state: RankingState) {
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

/** To sort numbers takes a tenth of the time that skills take. */
function leastOfBest(scores: Float32Array, most: number): number {
  return scores.toSorted()[Math.max(0, scores.length - most)] ?? 0;
}

/** By number of the skill. */
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

interface WeighedTerm {
  rarity: number;
  /** What the heaviest skill gets for it. */
  value: number;
  /** Where its skills are, for each segment. */
  ranges: (readonly [start: number, end: number])[];
}

function rarestTerms(
  terms: readonly QueryTerm[],
  segments: readonly TermSegment[],
  skills: number,
): WeighedTerm[] {
  const weighed = terms.flatMap(({ hash, count }): WeighedTerm[] => {
    const ranges = segments.map((segment) => rangeOf(segment, hash));
    // Former states of changed skills are counted until they are tidied away.
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

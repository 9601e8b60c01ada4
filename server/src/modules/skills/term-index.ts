import { groupBy } from '../../platform/lib/group-by.ts';
import type { RankingState } from './skill-ranking.ts';
import type { TermVector } from './skill-terms.ts';
import { createSegment, mergeSegments, type TermSegment } from './term-segment.ts';

/** An index of skills' terms. Consistent between two calls. */
export interface TermIndex extends RankingState {
  /** Estimated size in bytes. */
  readonly bytes: number;
  /** Adds a few skills synchronously: their terms are sorted at once. */
  put(skills: readonly { id: string; vector: TermVector }[]): void;
  remove(id: string): void;
  /** Merges small segments and removes outdated entries. */
  tidy(pause: () => Promise<void> | undefined): Promise<void>;
}

/** Number of segments of similar size that are merged. */
const perMerge = 8;
/** Number of unused slots before the others are compacted. */
const minGaps = 1024;
/** Approximate size of an entry besides its id. */
const bytesOfId = 48;

/** Marks an unused slot in `nameTerms`. */
const gone = -1;

/** Must not be changed concurrently. */
export function createTermIndex(): TermIndex {
  let segments: readonly TermSegment[] = [];
  let slots = new Map<string, number>();
  let nameTerms: number[] = [];
  let numbering = 0;

  const releaseSlot = (id: string) => {
    const slot = slots.get(id);
    if (slot !== undefined) {
      nameTerms[slot] = gone;
    }
  };

  /** Merges segments, without removed skills. */
  const merge = async (some: readonly TermSegment[], pause: () => Promise<void> | undefined) => {
    const slotNow = (slot: number) => (nameTerms[slot] === gone ? undefined : slot);
    const merged = await mergeSegments(some, { slotNow, pause });
    segments = [merged, ...segments.filter((segment) => !some.includes(segment))];
  };

  const renumber = async (pause: () => Promise<void> | undefined) => {
    const now = new Map([...slots.values()].map((slot, at) => [slot, at]));
    const merged = await mergeSegments(segments, { slotNow: (slot) => now.get(slot), pause });
    nameTerms = [...now.keys()].map((slot) => nameTerms[slot] ?? 0);
    slots = new Map([...slots.keys()].map((id, at) => [id, at]));
    segments = [merged];
    numbering += 1;
  };

  return {
    get segments() {
      return segments;
    },
    get slots() {
      return slots;
    },
    get nameTerms() {
      return nameTerms;
    },
    get numbering() {
      return numbering;
    },
    get bytes() {
      const ids = [...slots.keys()].reduce((sum, id) => sum + id.length + bytesOfId, 0);
      return segments.reduce((sum, segment) => sum + bytesOf(segment), ids);
    },
    put: (skills) => {
      const numbered = skills.map(({ vector }, at) => ({ slot: nameTerms.length + at, vector }));
      segments = [...segments, createSegment(numbered)];
      for (const [at, { id, vector }] of skills.entries()) {
        releaseSlot(id);
        slots.set(id, numbered[at]?.slot ?? 0);
        nameTerms.push(vector.nameTerms);
      }
      numbering += 1;
    },
    remove: (id) => {
      releaseSlot(id);
      slots.delete(id);
      numbering += 1;
    },
    tidy: async (pause) => {
      if (nameTerms.length > 2 * slots.size + minGaps) {
        return renumber(pause);
      }
      for (let some = findMergeable(segments); some; some = findMergeable(segments)) {
        await merge(some, pause);
      }
    },
  };
}

/** A copy of a state with one skill added or replaced; the original is unchanged. */
export function withSkill(state: RankingState, id: string, vector: TermVector): RankingState {
  const slot = state.nameTerms.length;
  return {
    segments: [...state.segments, createSegment([{ slot, vector }])],
    slots: new Map([...state.slots, [id, slot]]),
    nameTerms: [...Array.from(state.nameTerms), vector.nameTerms],
    numbering: 0,
  };
}

/** Segments of similar size to merge, smallest first. */
function findMergeable(segments: readonly TermSegment[]): TermSegment[] | undefined {
  const sizes = groupBy(segments, ({ slots }) =>
    Math.floor(Math.log(Math.max(1, slots.length)) / Math.log(perMerge)),
  );
  const full = [...sizes].filter(([, some]) => some.length >= perMerge);
  return full.sort(([one], [other]) => one - other)[0]?.[1];
}

function bytesOf({ hashes, starts, slots, weights }: TermSegment): number {
  return hashes.byteLength + starts.byteLength + slots.byteLength + weights.byteLength;
}

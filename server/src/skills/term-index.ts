import type { RankingState } from './skill-ranking.ts';
import type { TermVector } from './skill-terms.ts';
import { mergeSegments, segmentOf, type TermSegment } from './term-segment.ts';

/** The terms of skills that come, change and go. Between two calls it can be asked. */
export interface TermIndex extends RankingState {
  /** In bytes: an estimate. */
  readonly bytes: number;
  /** Few enough that the caller can wait for it: their terms are sorted at once. */
  put(skills: readonly { id: string; vector: TermVector }[]): void;
  remove(id: string): void;
  /** Puts small parts together, and lets go of what is no longer there. */
  tidy(pause: () => Promise<void> | undefined): Promise<void>;
}

/** So many segments of about one size become one. */
const perMerge = 8;
/** So many numbers of skills that are gone are left before the others move up. */
const leastGaps = 1024;
/** Of an id and its number, beside the letters. */
const bytesOfId = 48;

/** In place of the number of terms in a name. */
const gone = -1;

/** One at a time may change it. */
export function createTermIndex(): TermIndex {
  let segments: readonly TermSegment[] = [];
  let slots = new Map<string, number>();
  let nameTerms: number[] = [];
  let numbering = 0;

  const forget = (id: string) => {
    const slot = slots.get(id);
    if (slot !== undefined) {
      nameTerms[slot] = gone;
    }
  };

  /** Puts some segments together, those of skills that are still there. */
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
      segments = [...segments, segmentOf(numbered)];
      for (const [at, { id, vector }] of skills.entries()) {
        forget(id);
        slots.set(id, numbered[at]?.slot ?? 0);
        nameTerms.push(vector.nameTerms);
      }
      numbering += 1;
    },
    remove: (id) => {
      forget(id);
      slots.delete(id);
      numbering += 1;
    },
    tidy: async (pause) => {
      if (nameTerms.length > 2 * slots.size + leastGaps) {
        return renumber(pause);
      }
      for (let some = ofOneSize(segments); some; some = ofOneSize(segments)) {
        await merge(some, pause);
      }
    },
  };
}

/** A copy of a state in which a skill has other terms, or has come. It stays as it is. */
export function withSkill(state: RankingState, id: string, vector: TermVector): RankingState {
  const slot = state.nameTerms.length;
  return {
    segments: [...state.segments, segmentOf([{ slot, vector }])],
    slots: new Map([...state.slots, [id, slot]]),
    nameTerms: [...Array.from(state.nameTerms), vector.nameTerms],
    numbering: 0,
  };
}

/** Enough of about one size to be put together, the smallest first. */
function ofOneSize(segments: readonly TermSegment[]): TermSegment[] | undefined {
  const sizes = new Map<number, TermSegment[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(Math.max(1, segment.slots.length)) / Math.log(perMerge));
    sizes.set(size, [...(sizes.get(size) ?? []), segment]);
  }
  const full = [...sizes].filter(([, some]) => some.length >= perMerge);
  return full.sort(([one], [other]) => one - other)[0]?.[1];
}

function bytesOf({ hashes, starts, slots, weights }: TermSegment): number {
  return hashes.byteLength + starts.byteLength + slots.byteLength + weights.byteLength;
}

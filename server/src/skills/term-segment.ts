import type { TermVector } from './skill-terms.ts';

/** The terms of some skills, each with the skills it is in. Immutable, and nothing in it but numbers. */
export interface TermSegment {
  /** Skills that went into it. */
  skills: number;
  /** Ascending. */
  hashes: Uint32Array;
  /** Where the skills of each term begin in `slots` and `weights`; one more at the end. */
  starts: Uint32Array;
  slots: Uint32Array;
  weights: Uint8Array;
}

/** A skill's number in the index, and its terms. */
export interface SlottedVector {
  slot: number;
  vector: TermVector;
}

/** More than there are terms in the skills of one segment: hash and position fit into a double. */
const positions = 2 ** 20;

/** @param vectors of few enough skills that no more than 2^20 terms are in them */
export function segmentOf(vectors: readonly SlottedVector[]): TermSegment {
  const total = vectors.reduce((sum, { vector }) => sum + vector.hashes.length, 0);
  const keys = new Float64Array(total);
  const slotAt = new Uint32Array(total);
  const weightAt = new Uint8Array(total);
  let filled = 0;
  for (const { slot, vector } of vectors) {
    for (const [at, hash] of vector.hashes.entries()) {
      keys[filled] = hash * positions + filled;
      slotAt[filled] = slot;
      weightAt[filled] = vector.weights[at] ?? 0;
      filled += 1;
    }
  }
  const writing = new SegmentWriter(total, total);
  for (const key of keys.sort()) {
    const position = key % positions;
    writing.begin((key - position) / positions);
    writing.add(slotAt[position] ?? 0, weightAt[position] ?? 0);
  }
  return writing.end(vectors.length);
}

interface Merging {
  /** The new number of a skill; undefined for one that is no longer there. */
  slotNow: (slot: number) => number | undefined;
  /** Called again and again; lets others be answered. */
  pause: () => Promise<void> | undefined;
}

/** So many terms, or skills of one, between two looks at the clock. */
const stride = 512;

/** One segment in place of several. */
export async function mergeSegments(
  segments: readonly TermSegment[],
  { slotNow, pause }: Merging,
): Promise<TermSegment> {
  const sum = (sizeOf: (segment: TermSegment) => number) =>
    segments.reduce((total, segment) => total + sizeOf(segment), 0);
  const writing = new SegmentWriter(
    sum(({ hashes }) => hashes.length),
    sum(({ slots }) => slots.length),
  );
  const heads = segments.map(() => 0);
  let steps = 0;
  for (let hash = smallest(segments, heads); hash < Number.POSITIVE_INFINITY; ) {
    writing.begin(hash);
    for (const [of, { hashes, starts, slots, weights }] of segments.entries()) {
      const head = heads[of] ?? 0;
      if (hashes[head] === hash) {
        heads[of] = head + 1;
        const end = starts[head + 1] ?? 0;
        for (let at = starts[head] ?? 0; at < end; at += 1) {
          const slot = slotNow(slots[at] ?? 0);
          if (slot !== undefined) {
            writing.add(slot, weights[at] ?? 0);
          }
        }
        steps += end - (starts[head] ?? 0);
      }
    }
    if (steps > stride) {
      steps = 0;
      await pause();
    }
    hash = smallest(segments, heads);
  }
  return writing.end(sum(({ skills }) => skills));
}

function smallest(segments: readonly TermSegment[], heads: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let of = 0; of < segments.length; of += 1) {
    least = Math.min(least, segments[of]?.hashes[heads[of] ?? 0] ?? Number.POSITIVE_INFINITY);
  }
  return least;
}

/** Where the skills of a term begin and end; nothing where it is not known. */
export function rangeOf(
  { hashes, starts }: TermSegment,
  hash: number,
): readonly [start: number, end: number] {
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return hashes[low] === hash ? [starts[low] ?? 0, starts[low + 1] ?? 0] : [0, 0];
}

class SegmentWriter {
  private readonly hashes: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly slots: Uint32Array;
  private readonly weights: Uint8Array;
  private terms = 0;
  private entries = 0;

  constructor(mostTerms: number, mostEntries: number) {
    this.hashes = new Uint32Array(mostTerms);
    this.starts = new Uint32Array(mostTerms + 1);
    this.slots = new Uint32Array(mostEntries);
    this.weights = new Uint8Array(mostEntries);
  }

  /** The term that what is added next is of; one that nothing was added for is left out. */
  begin(hash: number): void {
    const isNew = this.terms === 0 || this.hashes[this.terms - 1] !== hash;
    if (isNew && this.terms > 0 && this.starts[this.terms - 1] === this.entries) {
      this.terms -= 1;
    }
    if (isNew) {
      this.hashes[this.terms] = hash;
      this.starts[this.terms] = this.entries;
      this.terms += 1;
    }
  }

  add(slot: number, weight: number): void {
    this.slots[this.entries] = slot;
    this.weights[this.entries] = weight;
    this.entries += 1;
  }

  end(skills: number): TermSegment {
    if (this.terms > 0 && this.starts[this.terms - 1] === this.entries) {
      this.terms -= 1;
    }
    this.starts[this.terms] = this.entries;
    return {
      skills,
      hashes: this.hashes.slice(0, this.terms),
      starts: this.starts.slice(0, this.terms + 1),
      slots: this.slots.slice(0, this.entries),
      weights: this.weights.slice(0, this.entries),
    };
  }
}

import type { TermVector } from './skill-terms.ts';

/** An inverted index of some skills' terms. Immutable, consisting only of numbers. */
export interface TermSegment {
  /** Number of skills in it, including outdated ones. */
  skills: number;
  /** Ascending. */
  hashes: Uint32Array;
  /** Start of each term's entries in `slots` and `weights`; one more at the end. */
  starts: Uint32Array;
  slots: Uint32Array;
  weights: Uint8Array;
}

/** A skill's slot in the index, and its terms. */
export interface SlottedVector {
  slot: number;
  vector: TermVector;
}

/** Maximum number of terms in a segment, so that hash and position fit into a double. */
const maxPositions = 2 ** 20;

/** @param vectors skills with at most 2^20 terms in total */
export function createSegment(vectors: readonly SlottedVector[]): TermSegment {
  const total = vectors.reduce((sum, { vector }) => sum + vector.hashes.length, 0);
  const keys = new Float64Array(total);
  const slotAt = new Uint32Array(total);
  const weightAt = new Uint8Array(total);
  let filled = 0;
  for (const { slot, vector } of vectors) {
    for (const [at, hash] of vector.hashes.entries()) {
      keys[filled] = hash * maxPositions + filled;
      slotAt[filled] = slot;
      weightAt[filled] = vector.weights[at] ?? 0;
      filled += 1;
    }
  }
  const writer = new SegmentWriter(total, total);
  for (const key of keys.sort()) {
    const position = key % maxPositions;
    writer.begin((key - position) / maxPositions);
    writer.add(slotAt[position] ?? 0, weightAt[position] ?? 0);
  }
  return writer.end(vectors.length);
}

interface Merging {
  /** The new slot of a skill; undefined if it has been removed. */
  slotNow: (slot: number) => number | undefined;
  /** Called repeatedly, to yield to the event loop. */
  pause: () => Promise<void> | undefined;
}

/** Number of steps between two checks of the clock. */
const stride = 512;

/** Merges several segments into one. */
export async function mergeSegments(
  segments: readonly TermSegment[],
  { slotNow, pause }: Merging,
): Promise<TermSegment> {
  const sum = (sizeOf: (segment: TermSegment) => number) =>
    segments.reduce((total, segment) => total + sizeOf(segment), 0);
  const writer = new SegmentWriter(
    sum(({ hashes }) => hashes.length),
    sum(({ slots }) => slots.length),
  );
  const heads = segments.map(() => 0);
  let steps = 0;
  for (let hash = smallest(segments, heads); hash < Number.POSITIVE_INFINITY; ) {
    writer.begin(hash);
    for (const [of, { hashes, starts, slots, weights }] of segments.entries()) {
      const head = heads[of] ?? 0;
      if (hashes[head] === hash) {
        heads[of] = head + 1;
        const end = starts[head + 1] ?? 0;
        for (let at = starts[head] ?? 0; at < end; at += 1) {
          const slot = slotNow(slots[at] ?? 0);
          if (slot !== undefined) {
            writer.add(slot, weights[at] ?? 0);
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
  return writer.end(sum(({ skills }) => skills));
}

function smallest(segments: readonly TermSegment[], heads: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let of = 0; of < segments.length; of += 1) {
    least = Math.min(least, segments[of]?.hashes[heads[of] ?? 0] ?? Number.POSITIVE_INFINITY);
  }
  return least;
}

/** Range of a term's entries; empty for an unknown term. */
export function findRange(
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

  constructor(maxTerms: number, maxEntries: number) {
    this.hashes = new Uint32Array(maxTerms);
    this.starts = new Uint32Array(maxTerms + 1);
    this.slots = new Uint32Array(maxEntries);
    this.weights = new Uint8Array(maxEntries);
  }

  /** Starts a term; terms without entries are omitted. */
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

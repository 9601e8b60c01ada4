import { addToCache } from '../../platform/lib/add-to-cache.ts';
import { createPauses } from '../../platform/lib/create-pauses.ts';
import { sha256 } from '../../platform/lib/sha256.ts';

/**
 * A quantized embedding with one byte per dimension: a quarter of the memory, and precise enough.
 */
export interface SmallVector {
  values: Int8Array;
  /** Factor for the numbers in `values`. */
  scale: number;
}

/** Similarity of a skill to a question, from -1 to 1, by id; undefined without an embedding. */
export type Nearness = (id: string) => number | undefined;

/** Number of cached questions. */
const maxQuestions = 50;
const sliceMs = 4;
/** Number of unused slots before the others are compacted. */
const minGaps = 1024;
/** Approximate size of an entry besides its id. */
const bytesOfEntry = 200;

/** A question with the similarity of each skill, by slot. */
interface CachedQuestion {
  vector: Float32Array;
  near: Float32Array;
  /** Version of the embeddings that it was compared with. */
  version: number;
}

/** Embeddings of skills, and their similarity to recent questions. */
export class SimilarSkills {
  private readonly maxBytes: number;
  private readonly slots = new Map<string, number>();
  private vectors: (SmallVector | undefined)[] = [];
  /** By digest of the question. */
  private readonly asked = new Map<string, CachedQuestion>();
  private bytes = 0;
  private version = 0;

  /** @param maxBytes maximum memory for the embeddings */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get size(): number {
    return this.slots.size;
  }

  /** Number of dimensions; undefined if there are no embeddings. */
  get dimensions(): number | undefined {
    return this.vectors.find((vector) => vector !== undefined)?.values.length;
  }

  /** Returns false if it exceeds the memory limit. */
  put(id: string, vector: SmallVector): boolean {
    this.remove(id);
    if (this.bytes + bytesOf(vector) > this.maxBytes) {
      return false;
    }
    if (this.vectors.length > 2 * this.slots.size + minGaps) {
      this.renumber();
    }
    // Slots are not reused, because cached questions refer to earlier skills.
    this.slots.set(id, this.vectors.push(vector) - 1);
    this.bytes += bytesOf(vector);
    this.version += 1;
    return true;
  }

  remove(id: string): void {
    const slot = this.slots.get(id);
    if (slot !== undefined) {
      this.bytes -= bytesOf(this.vectors[slot]);
      this.vectors[slot] = undefined;
      this.slots.delete(id);
    }
  }

  clear(): void {
    this.slots.clear();
    this.bytes = 0;
    this.asked.clear();
    this.renumber();
  }

  /** Computes the similarity of each skill to a question, for `nearTo`. */
  async ask(question: string, vector: Float32Array): Promise<void> {
    const { version, vectors } = this;
    const pause = createPauses(sliceMs);
    const near = new Float32Array(vectors.length).fill(Number.NaN);
    for (const slot of [...this.slots.values()]) {
      const known = vectors[slot];
      if (known?.values.length === vector.length) {
        near[slot] = product(known, vector);
      }
      const others = pause();
      if (others) {
        await others;
      }
    }
    // If slots have been renumbered meanwhile, the next request computes it again.
    const isCurrent = vectors === this.vectors;
    const kept = isCurrent ? near : new Float32Array();
    const value = { vector, near: kept, version };
    addToCache(this.asked, { key: keyOf(question), value, max: maxQuestions });
  }

  /**
   * Updates a cached question for changed skills. Returns whether there were changes; undefined if
   * it is not cached.
   */
  async askAgain(question: string): Promise<boolean | undefined> {
    const known = this.asked.get(keyOf(question));
    const isOld = known && known.version !== this.version;
    if (isOld) {
      await this.ask(question, known.vector);
    }
    return isOld;
  }

  /** Undefined if the question is not cached. */
  nearTo(question: string): Nearness | undefined {
    const near = this.asked.size > 0 ? this.asked.get(keyOf(question))?.near : undefined;
    return (
      near &&
      ((id) => {
        const found = near[this.slots.get(id) ?? -1] ?? Number.NaN;
        return Number.isNaN(found) ? undefined : found;
      })
    );
  }

  private renumber(): void {
    const now = [...this.slots].map(([id, slot]) => ({ id, vector: this.vectors[slot] }));
    this.vectors = [];
    this.version += 1;
    for (const asked of this.asked.values()) {
      asked.near = new Float32Array();
    }
    for (const { id, vector } of now) {
      this.slots.set(id, this.vectors.push(vector) - 1);
    }
  }
}

export function smallVector(vector: Float32Array): SmallVector {
  const most = vector.reduce((found, number) => Math.max(found, Math.abs(number)), 0);
  const scale = most / 127;
  return { values: Int8Array.from(vector, (number) => Math.round(number / scale)), scale };
}

function product({ values, scale }: SmallVector, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    sum += (values[at] ?? 0) * (vector[at] ?? 0);
  }
  return sum * scale;
}

function bytesOf(vector: SmallVector | undefined): number {
  return vector ? vector.values.length + bytesOfEntry : 0;
}

function keyOf(question: string): string {
  return sha256(question, 'base64');
}

import { createHash } from 'node:crypto';
import { createPauses } from '../lib/create-pauses.ts';

/** A direction in a byte for each number: a quarter of the memory, and as near as it needs to be. */
export interface SmallVector {
  values: Int8Array;
  /** What a number in `values` is to be multiplied by. */
  scale: number;
}

/** How near skills are to what somebody wrote, from -1 to 1, by id; undefined for one that has no vector. */
export type Nearness = (id: string) => number | undefined;

/** Questions that are remembered. */
const mostQuestions = 50;
const sliceMs = 4;
/** So many numbers of skills that are gone are left before the others move up. */
const leastGaps = 1024;
/** Of an id and its places, beside the letters. */
const bytesOfEntry = 200;

/** A question, and how near each skill is to it, by its number. */
interface Asked {
  vector: Float32Array;
  near: Float32Array;
  /** Of the vectors that it was compared with. */
  version: number;
}

/** The vectors of skills, and how near each is to the last questions. */
export class SimilarSkills {
  private readonly maxBytes: number;
  private readonly slots = new Map<string, number>();
  private vectors: (SmallVector | undefined)[] = [];
  /** By digest of the question. */
  private readonly asked = new Map<string, Asked>();
  private bytes = 0;
  private version = 0;

  /** @param maxBytes what the vectors may take of the memory */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get size(): number {
    return this.slots.size;
  }

  /** How many numbers a vector has; undefined while there is none. */
  get dimensions(): number | undefined {
    return this.vectors.find((vector) => vector !== undefined)?.values.length;
  }

  /** False when there is no room for it. */
  put(id: string, vector: SmallVector): boolean {
    this.remove(id);
    if (this.bytes + bytesOf(vector) > this.maxBytes) {
      return false;
    }
    if (this.vectors.length > 2 * this.slots.size + leastGaps) {
      this.renumber();
    }
    // A number is not used again: what is remembered of a question is of the skills of then.
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

  /** Works out how near each skill is to a question, for `nearTo` to find. */
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
    // Where the skills have other numbers by now, it is worked out again when it is asked again.
    const isRight = vectors === this.vectors;
    const kept = isRight ? near : new Float32Array();
    this.asked.set(keyOf(question), { vector, near: kept, version });
    const [oldest] = this.asked.keys();
    if (this.asked.size > mostQuestions && oldest !== undefined) {
      this.asked.delete(oldest);
    }
  }

  /**
   * Of a question that was asked before: looks at what has come since. Answers whether something has; undefined
   * for one that was not asked, or long ago.
   */
  async askAgain(question: string): Promise<boolean | undefined> {
    const known = this.asked.get(keyOf(question));
    const isOld = known && known.version !== this.version;
    if (isOld) {
      await this.ask(question, known.vector);
    }
    return isOld;
  }

  /** Undefined for a question that was not asked, or long ago. */
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
  return createHash('sha256').update(question).digest('base64');
}

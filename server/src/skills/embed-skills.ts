import { createPauses } from '../lib/create-pauses.ts';
import { type Embedder, EmbedderFailure } from '../models/open-embedder.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { type Basis, type ChangedSkill, changedSkills } from './changed-skills.ts';
import type { EmbeddingCache } from './embedding-cache.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import { type SimilarSkills, type SmallVector, smallVector } from './similar-skills.ts';
import type { SkillTexts } from './skill-terms.ts';
import { textsOf } from './skill-texts.ts';

/** What vectors follow from. */
export interface EmbeddingBasis extends Basis {
  embedder: Embedder;
}

export interface EmbeddingWork {
  store: Pick<SkillStore, 'readText'>;
  kept: EmbeddingCache;
  /** Only one node at a time asks for vectors: the others find them kept. */
  withLock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  limits: EmbeddingLimits;
  similar: SimilarSkills;
  /** The state of each skill that has its vector, or will get none, by id. */
  known: Map<string, string>;
}

interface Pass {
  own: EmbeddingBasis;
  /** When all were known. */
  former: EmbeddingBasis | undefined;
  /** Whether others are wanted by now. */
  isOver: () => boolean;
}

/** Looked up in the database at once. */
const perLook = 200;
const sliceMs = 4;

/**
 * Gives each skill its vector, from the database or else from the embedder. Answers for how many there was no
 * room. Throws an `EmbedderFailure`; what was made until then stays.
 */
export async function embedSkills(work: EmbeddingWork, pass: Pass): Promise<number> {
  const { own, former, isOver } = pass;
  const { known, kept, withLock } = work;
  const changed = await changedSkills(own, { known, former }, createPauses(sliceMs));
  removeGone(work, own);
  let left = 0;
  for (let start = 0; start < changed.length && !isOver(); start += perLook) {
    left += await withLock(() => bringSome(changed.slice(start, start + perLook), work, pass));
  }
  if (changed.length > 0 && !isOver()) {
    await kept.tidy(own.embedder.id, [...known.values()]);
  }
  return left;
}

function removeGone({ known, similar }: EmbeddingWork, { snapshot: { skills } }: Basis): void {
  for (const id of known.keys()) {
    if (!skills.has(id)) {
      known.delete(id);
      similar.remove(id);
    }
  }
}

async function bringSome(
  some: readonly ChangedSkill[],
  work: EmbeddingWork,
  pass: Pass,
): Promise<number> {
  const { kept, known, similar, limits } = work;
  const { id } = pass.own.embedder;
  let left = 0;
  const put = (of: readonly ChangedSkill[], vectors: ReadonlyMap<string, SmallVector>) => {
    for (const { skill, state } of of) {
      const vector = vectors.get(state);
      if (!vector) {
        similar.remove(skill.id);
      } else if (!similar.put(skill.id, vector)) {
        left += 1;
      }
      known.set(skill.id, state);
    }
  };
  if (pass.isOver()) {
    return left;
  }
  const found = await kept.load(
    id,
    some.map(({ state }) => state),
  );
  put(
    some.filter(({ state }) => found.has(state)),
    found,
  );
  const missing = some.filter(({ state }) => !found.has(state));
  for (let start = 0; start < missing.length && !pass.isOver(); start += limits.perRequest) {
    const part = missing.slice(start, start + limits.perRequest);
    const made = await makeVectors(part, work, pass);
    if (pass.isOver()) {
      break;
    }
    await kept.save(id, made);
    put(part, made);
  }
  return left;
}

/** By state; none for a skill whose text the embedder does not take. */
async function makeVectors(
  part: readonly ChangedSkill[],
  { store, limits, similar }: EmbeddingWork,
  { own }: Pass,
): Promise<Map<string, SmallVector>> {
  const texts = await Promise.all(
    part.map(async ({ skill }) => textOf(await textsOf(skill, own.config, store), limits.text)),
  );
  const mayLeaveOut = similar.size > 0;
  const vectors = await vectorsOf(texts, { ...own, limits, mayLeaveOut });
  const made = new Map<string, SmallVector>();
  for (const [at, { state }] of part.entries()) {
    const vector = vectors[at];
    if (vector) {
      checkDimensions(vector, similar.dimensions);
      made.set(state, smallVector(vector));
    }
  }
  return made;
}

interface Asking {
  embedder: Embedder;
  limits: EmbeddingLimits;
  /** Whether it has taken others. */
  mayLeaveOut: boolean;
}

/** Undefined for a text that is not taken. */
async function vectorsOf(
  texts: readonly string[],
  asking: Asking,
): Promise<(Float32Array | undefined)[]> {
  try {
    return await asking.embedder.embed(texts, asking.limits.patienceMs);
  } catch (error) {
    if (!isOfTexts(error) || (texts.length === 1 && !asking.mayLeaveOut)) {
      throw error;
    }
    const half = Math.ceil(texts.length / 2);
    return texts.length === 1
      ? [undefined]
      : [
          ...(await vectorsOf(texts.slice(0, half), asking)),
          ...(await vectorsOf(texts.slice(half), asking)),
        ];
  }
}

function isOfTexts(error: unknown): boolean {
  return error instanceof EmbedderFailure && error.isOfTexts;
}

/** Throws where a vector cannot be compared with those that there are. */
export function checkDimensions(vector: Float32Array, dimensions = vector.length): void {
  if (vector.length !== dimensions) {
    throw new EmbedderFailure(
      `The embedder sent vectors of ${vector.length} numbers, and before of ${dimensions}.`,
    );
  }
}

function textOf(texts: SkillTexts, most: number): string {
  const { name, displayName, description, tags, triggers, body } = texts;
  return [name, displayName, description, tags.join(', '), triggers, body]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, most);
}

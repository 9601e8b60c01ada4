import { listTranslatedTexts } from '@knowhow/shared/skills/skill-translations';
import { createPauses } from '../../platform/lib/create-pauses.ts';
import { type Embedder, EmbedderFailure } from '../models/index.ts';
import { type Basis, type ChangedSkill, changedSkills } from './changed-skills.ts';
import type { EmbeddingCache } from './embedding-cache.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import { type SimilarSkills, type SmallVector, smallVector } from './similar-skills.ts';
import type { SkillTexts } from './skill-terms.ts';
import { loadSkillTexts } from './skill-texts.ts';
import type { SkillStore } from './store/skill-store.ts';

/** Inputs that determine the embeddings. */
export interface EmbeddingBasis extends Basis {
  embedder: Embedder;
}

export interface EmbeddingWork {
  store: Pick<SkillStore, 'readText'>;
  kept: EmbeddingCache;
  /** Only one node at a time requests embeddings: the others find them in the cache. */
  withLock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  limits: EmbeddingLimits;
  similar: SimilarSkills;
  /** State keys of skills with an embedding, or for which there will be none, by id. */
  known: Map<string, string>;
}

interface Pass {
  own: EmbeddingBasis;
  /** The last basis for which all were computed. */
  former: EmbeddingBasis | undefined;
  /** Whether the pass is outdated. */
  isOver: () => boolean;
}

/** Number of cache lookups per query. */
const batchSize = 200;
const sliceMs = 4;

/**
 * Computes the embedding of each skill, from the cache or the embedder. Returns the number of
 * skills beyond the memory limit. Throws an `EmbedderFailure`; results until then are kept.
 */
export async function embedSkills(work: EmbeddingWork, pass: Pass): Promise<number> {
  const { own, former, isOver } = pass;
  const { known, kept, withLock } = work;
  const changed = await changedSkills(own, { known, former }, createPauses(sliceMs));
  removeGone(work, own);
  let omitted = 0;
  for (let start = 0; start < changed.length && !isOver(); start += batchSize) {
    omitted += await withLock(() =>
      embedBatch(changed.slice(start, start + batchSize), work, pass),
    );
  }
  if (changed.length > 0 && !isOver()) {
    await kept.tidy(own.embedder.id, [...known.values()]);
  }
  return omitted;
}

function removeGone({ known, similar }: EmbeddingWork, { snapshot: { skills } }: Basis): void {
  for (const id of known.keys()) {
    if (!skills.has(id)) {
      known.delete(id);
      similar.remove(id);
    }
  }
}

async function embedBatch(
  some: readonly ChangedSkill[],
  work: EmbeddingWork,
  pass: Pass,
): Promise<number> {
  const { kept, known, similar, limits } = work;
  const { id } = pass.own.embedder;
  let omitted = 0;
  const put = (of: readonly ChangedSkill[], vectors: ReadonlyMap<string, SmallVector>) => {
    for (const { skill, state } of of) {
      const vector = vectors.get(state);
      if (!vector) {
        similar.remove(skill.id);
      } else if (!similar.put(skill.id, vector)) {
        omitted += 1;
      }
      known.set(skill.id, state);
    }
  };
  if (pass.isOver()) {
    return omitted;
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
    const embedded = await makeVectors(part, work, pass);
    if (pass.isOver()) {
      break;
    }
    await kept.save(id, embedded);
    put(part, embedded);
  }
  return omitted;
}

/** Embeddings by state key; none for a skill whose text the embedder rejects. */
async function makeVectors(
  part: readonly ChangedSkill[],
  { store, limits, similar }: EmbeddingWork,
  { own }: Pass,
): Promise<Map<string, SmallVector>> {
  const texts = await Promise.all(
    part.map(async ({ skill }) =>
      textOf(await loadSkillTexts(skill, own.config, store), limits.text),
    ),
  );
  const mayLeaveOut = similar.size > 0;
  const vectors = await vectorsOf(texts, { ...own, limits, mayLeaveOut });
  const result = new Map<string, SmallVector>();
  for (const [at, { state }] of part.entries()) {
    const vector = vectors[at];
    if (vector) {
      checkDimensions(vector, similar.dimensions);
      result.set(state, smallVector(vector));
    }
  }
  return result;
}

interface EmbedOptions {
  embedder: Embedder;
  limits: EmbeddingLimits;
  /** Whether the embedder has accepted other texts, so that a rejected one can be skipped. */
  mayLeaveOut: boolean;
}

/** Undefined for a rejected text. */
async function vectorsOf(
  texts: readonly string[],
  asking: EmbedOptions,
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

/** Throws if an embedding has other dimensions than the existing ones. */
export function checkDimensions(vector: Float32Array, dimensions = vector.length): void {
  if (vector.length !== dimensions) {
    throw new EmbedderFailure(
      `The embedder sent vectors of ${vector.length} numbers, and before of ${dimensions}.`,
    );
  }
}

function textOf(texts: SkillTexts, most: number): string {
  const { name, displayName, description, translations, tags, triggers, body } = texts;
  const translated = listTranslatedTexts(translations);
  return [name, displayName, description, tags.join(', '), triggers, ...translated, body]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, most);
}

import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { createPauses } from '../../platform/lib/create-pauses.ts';
import { type Basis, changedSkills } from './changed-skills.ts';
import { createRanking, type SkillRanking } from './skill-ranking.ts';
import { createTermReader } from './skill-terms.ts';
import { loadSkillTexts } from './skill-texts.ts';
import type { StoredSkill } from './store/skill-source.ts';
import type { SkillStore } from './store/skill-store.ts';
import { createTermIndex, withSkill } from './term-index.ts';

/** Full-text index of all skills, updated in the background. */
export interface SkillIndex {
  /** The ranking by what is indexed so far. */
  readonly ranking: SkillRanking;
  /** The current ranking with the texts of one skill as given, and another description if one is given. */
  reworded(skill: StoredSkill, description?: string): Promise<SkillRanking>;
  /** Estimated memory usage. */
  readonly bytes: number;
  /** Call when skills or their settings may have changed: indexes changes in the background. */
  refresh(): void;
  /** Resolves when all requested work is done. */
  settled(): Promise<void>;
  close(): void;
}

interface Dependencies {
  store: Pick<SkillStore, 'snapshot' | 'readText'>;
  config: () => SkillsConfig;
  onError: (error: unknown) => void;
}

/** Maximum time without yielding to the event loop. */
const sliceMs = 4;
/** Number of skills indexed at once: sorting their terms takes a few milliseconds. */
const perPart = 32;
/** With more skills to read, names and descriptions are indexed first, which is immediate. */
const readAtOnce = 256;

/** Starts empty: call `refresh` once the skills have been found. */
export function createSkillIndex({ store, config, onError }: Dependencies): SkillIndex {
  const index = createTermIndex();
  /** State keys of indexed skills, by id. */
  const known = new Map<string, string>();
  let basis: Basis | undefined;
  /** The basis that is completely indexed; undefined while indexing. */
  let indexed: Basis | undefined;
  let work = Promise.resolve();

  const update = async (own: Basis) => {
    const { snapshot, config } = own;
    const isOver = () => own !== basis;
    const pause = createPauses(sliceMs);
    const former = indexed;
    indexed = undefined;
    const changed = await changedSkills(own, { known, former }, pause);
    const added = changed.filter(({ skill }) => !known.has(skill.id)).length;
    if (known.size + added > snapshot.skills.size) {
      removeGone(own);
    }
    for (const from of changed.length > readAtOnce ? [undefined, store] : [store]) {
      const read = createTermReader();
      for (let start = 0; start < changed.length && !isOver(); start += perPart) {
        const batch = changed.slice(start, start + perPart);
        // Reads the next texts while the first are being indexed.
        const reading = batch.map(({ skill }) => loadSkillTexts(skill, config, from));
        const part = [];
        for (const [at, { skill, state }] of batch.entries()) {
          const texts = await reading[at];
          if (texts) {
            part.push({ id: skill.id, vector: read(texts) });
          }
          known.set(skill.id, from ? state : '');
          await pause();
        }
        index.put(part);
        await index.tidy(pause);
      }
    }
    indexed = isOver() ? undefined : own;
  };

  const removeGone = ({ snapshot: { skills } }: Basis) => {
    for (const id of known.keys()) {
      if (!skills.has(id)) {
        known.delete(id);
        index.remove(id);
      }
    }
  };

  return {
    ranking: createRanking(index),
    reworded: async (skill, description) => {
      const texts = await loadSkillTexts(skill, config(), store);
      const shown = description === undefined ? texts : { ...texts, description };
      return createRanking(withSkill(index, skill.id, createTermReader()(shown)));
    },
    get bytes() {
      return index.bytes;
    },
    refresh: () => {
      const own = { snapshot: store.snapshot, config: config() };
      if (own.snapshot !== basis?.snapshot || own.config !== basis.config) {
        basis = own;
        work = work.then(() => (own === basis ? update(own) : undefined)).catch(onError);
      }
    },
    settled: () => work,
    close: () => {
      basis = undefined;
    },
  };
}

import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { createPauses } from '../lib/create-pauses.ts';
import type { StoredSkill } from '../skill-store/skill-source.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { type Basis, changedSkills } from './changed-skills.ts';
import { createRanking, type SkillRanking } from './skill-ranking.ts';
import { createTermReader } from './skill-terms.ts';
import { textsOf } from './skill-texts.ts';
import { createTermIndex, withSkill } from './term-index.ts';

/** All skills by the words in them, kept up to date in the background. */
export interface SkillIndex {
  /** As far as it has come. */
  readonly ranking: SkillRanking;
  /** The ranking as it is now, but with another description of one skill: for a trial. */
  reworded(skill: StoredSkill, description: string): Promise<SkillRanking>;
  /** What it takes of the memory: an estimate. */
  readonly bytes: number;
  /** To be called when skills or their settings may have changed: reads what has, and returns at once. */
  refresh(): void;
  /** Resolves when what was asked for so far is done. */
  settled(): Promise<void>;
  close(): void;
}

interface Dependencies {
  store: Pick<SkillStore, 'snapshot' | 'readText'>;
  config: () => SkillsConfig;
  onError: (error: unknown) => void;
}

/** The main thread does nothing else for so long. */
const sliceMs = 4;
/** So many skills are put into the index at once: to sort their terms takes a few milliseconds. */
const perPart = 32;
/** With more to read than this, names and descriptions come first: they are there at once. */
const readAtOnce = 256;

/** Begins with nothing: call `refresh` when the skills have been found. */
export function createSkillIndex({ store, config, onError }: Dependencies): SkillIndex {
  const index = createTermIndex();
  /** What each skill was indexed as, by id. */
  const known = new Map<string, string>();
  let basis: Basis | undefined;
  /** What all of it follows from; undefined while it is not all of one moment. */
  let indexed: Basis | undefined;
  let work = Promise.resolve();

  const bringUpTo = async (own: Basis) => {
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
        const some = changed.slice(start, start + perPart);
        // The disk reads the next while the first are indexed.
        const reading = some.map(({ skill }) => textsOf(skill, config, from));
        const part = [];
        for (const [at, { skill, state }] of some.entries()) {
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
      const texts = { ...(await textsOf(skill, config(), store)), description };
      return createRanking(withSkill(index, skill.id, createTermReader()(texts)));
    },
    get bytes() {
      return index.bytes;
    },
    refresh: () => {
      const own = { snapshot: store.snapshot, config: config() };
      if (own.snapshot !== basis?.snapshot || own.config !== basis.config) {
        basis = own;
        work = work.then(() => (own === basis ? bringUpTo(own) : undefined)).catch(onError);
      }
    },
    settled: () => work,
    close: () => {
      basis = undefined;
    },
  };
}

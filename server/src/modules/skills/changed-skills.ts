import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { skillStateKey } from './skill-texts.ts';
import { skillsSince } from './store/skill-snapshot.ts';
import type { StoredSkill } from './store/skill-source.ts';
import type { SkillStore } from './store/skill-store.ts';

/** Inputs that determine the texts of all skills. */
export interface Basis {
  snapshot: SkillStore['snapshot'];
  config: SkillsConfig;
}

export interface ChangedSkill {
  skill: StoredSkill;
  /** Key of its state, to be recorded once it is read. */
  state: string;
}

interface Known {
  /** State keys of all skills that have been read, by id. */
  known: ReadonlyMap<string, string>;
  /** The last basis for which all were read; undefined before. */
  former: Basis | undefined;
}

/** Number of skills between two checks of the clock. */
const perCheck = 64;

/** Skills that must be read again: only those that may have changed since `former`. */
export async function changedSkills(
  { snapshot, config }: Basis,
  { known, former }: Known,
  pause: () => Promise<void> | undefined,
): Promise<ChangedSkill[]> {
  const changed: ChangedSkill[] = [];
  let looked = 0;
  const since = former?.config === config ? former.snapshot : undefined;
  for (const skill of skillsSince(snapshot, since).values()) {
    const state = skillStateKey(skill, config);
    if (known.get(skill.id) !== state) {
      changed.push({ skill, state });
    }
    looked += 1;
    const others = looked % perCheck === 0 ? pause() : undefined;
    if (others) {
      await others;
    }
  }
  return changed;
}

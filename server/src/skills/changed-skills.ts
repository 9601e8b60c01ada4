import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { skillsSince } from '../skill-store/skill-snapshot.ts';
import type { StoredSkill } from '../skill-store/skill-source.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { stateOf } from './skill-texts.ts';

/** What the texts of all skills follow from. */
export interface Basis {
  snapshot: SkillStore['snapshot'];
  config: SkillsConfig;
}

export interface ChangedSkill {
  skill: StoredSkill;
  /** What it is known as once it is read. */
  state: string;
}

interface Known {
  /** The state of each skill that has been read, by id. */
  known: ReadonlyMap<string, string>;
  /** When all were known; undefined while that is not so. */
  former: Basis | undefined;
}

/** So many skills are looked at before the clock is. */
const perLook = 64;

/** Which skills are to be read: of those that may be others than when all was as `former`. */
export async function changedSkills(
  { snapshot, config }: Basis,
  { known, former }: Known,
  pause: () => Promise<void> | undefined,
): Promise<ChangedSkill[]> {
  const changed: ChangedSkill[] = [];
  let looked = 0;
  const since = former?.config === config ? former.snapshot : undefined;
  for (const skill of skillsSince(snapshot, since).values()) {
    const state = stateOf(skill, config);
    if (known.get(skill.id) !== state) {
      changed.push({ skill, state });
    }
    looked += 1;
    const others = looked % perLook === 0 ? pause() : undefined;
    if (others) {
      await others;
    }
  }
  return changed;
}

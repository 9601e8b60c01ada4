import { diagnose } from '../skill-format/skill-format.ts';
import {
  type BrokenSkill,
  type FoundSkill,
  fullPathOf,
  locationOf,
  type StoredSkill,
} from './skill-source.ts';

/** All skills at one moment. Immutable: another one comes when something has changed. */
export interface SkillSnapshot {
  /** By id, the one that counts; enabled or not. */
  readonly skills: ReadonlyMap<string, StoredSkill>;
  /** Different skills with an id that is taken. */
  readonly shadowed: readonly StoredSkill[];
  readonly unreadable: readonly BrokenSkill[];
  /** Where it is another one with a few skills in it edited: that one, and the edits by id. */
  readonly edited?: {
    readonly from: SkillSnapshot;
    readonly skills: ReadonlyMap<string, StoredSkill>;
  };
}

/**
 * The skills of a snapshot that may be others than in a former one: after some edits those alone, else all.
 * None is missing that is in both and not the same.
 */
export function skillsSince(
  { skills, edited }: SkillSnapshot,
  former: SkillSnapshot | undefined,
): ReadonlyMap<string, StoredSkill> {
  const from = former?.edited?.from ?? former;
  return edited && edited.from === from ? edited.skills : skills;
}

/**
 * Puts what was found in its order: of two skills with one id the first counts and the other is kept
 * as shadowed, with both locations named. The same bytes found twice, such as through a link, are one skill, which says
 * where else it is.
 */
export function buildSnapshot(found: readonly FoundSkill[]): SkillSnapshot {
  const skills = new Map<string, StoredSkill>();
  const shadowed: StoredSkill[] = [];
  const unreadable: BrokenSkill[] = [];
  for (const each of withoutCopies(found)) {
    const first = 'diagnostic' in each ? undefined : skills.get(each.id);
    if ('diagnostic' in each) {
      unreadable.push(each);
    } else if (first) {
      shadowed.push(shadow(each, first));
    } else {
      skills.set(each.id, each);
    }
  }
  return { skills, shadowed, unreadable };
}

const maxNamed = 5;

/** Keeps one of several skills with the same bytes: the first in a folder of its own name, else the first. */
function withoutCopies(found: readonly FoundSkill[]): FoundSkill[] {
  const kept = new Map<string, FoundSkill>();
  const places = new Map<string, FoundSkill[]>();
  for (const each of found) {
    const isOnlyThere = 'diagnostic' in each || each.source.isRemote;
    const key = isOnlyThere ? fullPathOf(each) : each.checksum;
    const known = kept.get(key);
    // The examples that come with the product are copied into contents/ on purpose.
    if (each.source.kind !== 'builtin') {
      places.set(key, [...(places.get(key) ?? []), each].slice(0, maxNamed + 1));
    }
    if (!known || (isMisplaced(known) && !isMisplaced(each))) {
      kept.set(key, each);
    }
  }
  return [...kept].map(([key, each]) => {
    const others = (places.get(key) ?? []).filter((other) => other !== each);
    return 'diagnostic' in each || others.length === 0 ? each : withPlaces(each, others);
  });
}

/** The same object as long as the other places are the same: a skill counts as changed if its object is another. */
function withPlaces(skill: StoredSkill, others: readonly FoundSkill[]): StoredSkill {
  const named = others.slice(0, maxNamed).map(locationOf).join(', ');
  const last = lastPlaces.get(skill);
  if (last?.named === named) {
    return last.skill;
  }
  const values = { place: locationOf(skill), others: named };
  const diagnostics = [...skill.diagnostics, diagnose('found-again', { values })];
  const made = { ...skill, diagnostics };
  lastPlaces.set(skill, { named, skill: made });
  return made;
}

const lastPlaces = new WeakMap<StoredSkill, { named: string; skill: StoredSkill }>();

function isMisplaced(found: FoundSkill): boolean {
  return (
    'diagnostics' in found &&
    found.diagnostics.some(({ code }) => code === 'name-directory-mismatch')
  );
}

function shadow(skill: StoredSkill, first: StoredSkill): StoredSkill {
  const values = { hidden: locationOf(skill), first: locationOf(first) };
  const hidden = diagnose('same-name', { text: 'same-name-hidden', values });
  const diagnostics = [...skill.diagnostics, hidden];
  return { ...skill, enabledByDefault: false, diagnostics };
}

import { diagnose } from '@knowhow/skill-format';
import {
  type BrokenSkill,
  describeLocation,
  type FoundSkill,
  getFullPath,
  type StoredSkill,
} from './skill-source.ts';

/** All skills at one time. Immutable: changes create a new snapshot. */
export interface SkillSnapshot {
  /** Effective skills by id, enabled or not. */
  readonly skills: ReadonlyMap<string, StoredSkill>;
  /** Different skills whose id is already taken. */
  readonly shadowed: readonly StoredSkill[];
  readonly unreadable: readonly BrokenSkill[];
  /** Stored versions that replace effective skills for some apps and groups, by id and number. */
  readonly versions: ReadonlyMap<string, ReadonlyMap<number, StoredSkill>>;
  /**
   * The snapshot that this one derives from by edits of a few skills, if any, and the edits by id.
   */
  readonly edited?: {
    readonly from: SkillSnapshot;
    readonly skills: ReadonlyMap<string, StoredSkill>;
  };
}

/**
 * Skills of a snapshot that may differ from an earlier one: only the edited ones if possible,
 * otherwise all. Includes every skill that is in both and has changed.
 */
export function skillsSince(
  { skills, edited }: SkillSnapshot,
  former: SkillSnapshot | undefined,
): ReadonlyMap<string, StoredSkill> {
  const from = former?.edited?.from ?? former;
  return edited && edited.from === from ? edited.skills : skills;
}

/**
 * Resolves conflicts: of two skills with one id, the first wins and the other is shadowed, with
 * both locations named. The same bytes found twice, for example through a link, are one skill that
 * lists its other locations.
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
  return { skills, shadowed, unreadable, versions: new Map() };
}

const maxNamed = 5;

/**
 * Deduplicates skills with the same bytes: keeps the first whose folder has its name, otherwise the
 * first.
 */
function withoutCopies(found: readonly FoundSkill[]): FoundSkill[] {
  const unique = new Map<string, FoundSkill>();
  const locations = new Map<string, FoundSkill[]>();
  for (const each of found) {
    const isUncomparable = 'diagnostic' in each || each.source.isRemote;
    const key = isUncomparable ? getFullPath(each) : each.checksum;
    const known = unique.get(key);
    // The built-in examples are copied into contents/ on purpose.
    if (each.source.kind !== 'builtin') {
      locations.set(key, [...(locations.get(key) ?? []), each].slice(0, maxNamed + 1));
    }
    if (!known || (isMisplaced(known) && !isMisplaced(each))) {
      unique.set(key, each);
    }
  }
  return [...unique].map(([key, each]) => {
    const others = (locations.get(key) ?? []).filter((other) => other !== each);
    return 'diagnostic' in each || others.length === 0 ? each : withLocations(each, others);
  });
}

/**
 * Returns the same object while the other locations are the same, because a new object counts as a
 * changed skill.
 */
function withLocations(skill: StoredSkill, others: readonly FoundSkill[]): StoredSkill {
  const named = others.slice(0, maxNamed).map(describeLocation).join(', ');
  const last = lastLocations.get(skill);
  if (last?.named === named) {
    return last.skill;
  }
  const values = { place: describeLocation(skill), others: named };
  const diagnostics = [...skill.diagnostics, diagnose('found-again', { values })];
  const result = { ...skill, diagnostics };
  lastLocations.set(skill, { named, skill: result });
  return result;
}

const lastLocations = new WeakMap<StoredSkill, { named: string; skill: StoredSkill }>();

function isMisplaced(found: FoundSkill): boolean {
  return (
    'diagnostics' in found &&
    found.diagnostics.some(({ code }) => code === 'name-directory-mismatch')
  );
}

function shadow(skill: StoredSkill, first: StoredSkill): StoredSkill {
  const values = { hidden: describeLocation(skill), first: describeLocation(first) };
  const hidden = diagnose('same-name', { text: 'same-name-hidden', values });
  const diagnostics = [...skill.diagnostics, hidden];
  return { ...skill, enabledByDefault: false, diagnostics };
}

import { problem } from '@knowhow/shared/problem';
import type { SkillStatus } from '@knowhow/shared/skills/admin-skill';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { parseSkill, type Skill, slug } from '../skill-format/skill-format.ts';
import type { SkillSnapshot } from '../skill-store/skill-snapshot.ts';
import {
  type BrokenSkill,
  folderNameOf,
  fullPathOf,
  type SkillLocation,
  type StoredSkill,
} from '../skill-store/skill-source.ts';
import { isEnabled } from '../skills/skill-settings.ts';

/** One folder with a `SKILL.md`, whatever became of it. */
export interface SkillEntry extends SkillLocation {
  name: string;
  skill: Skill;
  /** None of a `SKILL.md` that could not be read. */
  stored: StoredSkill | undefined;
  state: 'offered' | 'shadowed' | 'unreadable';
  /** When its `SKILL.md` was last changed, in ms; 0 when it could not be read. */
  updatedAt: number;
  diagnostics: readonly Diagnostic[];
}

interface Entries {
  all: readonly SkillEntry[];
  /** Of those with one name the first. */
  byName: ReadonlyMap<string, SkillEntry>;
}

const entries = new WeakMap<SkillSnapshot, Entries>();

/** Everything that was found, by name; of one name the skill that counts comes first. */
export function skillEntries(snapshot: SkillSnapshot): readonly SkillEntry[] {
  return entriesOf(snapshot).all;
}

/** Worked out once for a snapshot. */
function entriesOf(snapshot: SkillSnapshot): Entries {
  const known = entries.get(snapshot);
  if (known) {
    return known;
  }
  const all = [
    ...[...snapshot.skills.values()].map((stored) => entryOf(stored, 'offered')),
    ...snapshot.shadowed.map((stored) => entryOf(stored, 'shadowed')),
    ...snapshot.unreadable.map(unreadableEntry),
  ].sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  const byName = new Map(all.toReversed().map((entry) => [entry.name, entry]));
  const made = { all, byName };
  entries.set(snapshot, made);
  return made;
}

/** The one that counts, else a broken one of that name. Throws `not-found`. */
export function findEntry(snapshot: SkillSnapshot, name: string): SkillEntry {
  const stored = snapshot.skills.get(name) ?? snapshot.skills.get(slug(name));
  const entry = stored ? entryOf(stored, 'offered') : entriesOf(snapshot).byName.get(name);
  if (!entry) {
    throw problem('not-found', `There is no skill "${name}".`);
  }
  return entry;
}

/** Broken is what cannot be read; what only lacks a description is off, with an error that says so. */
export function statusOf({ skill, state }: SkillEntry, config: SkillsConfig): SkillStatus {
  if (state === 'shadowed') {
    return 'shadowed';
  }
  if (state === 'unreadable' || !skill.loads) {
    return 'broken';
  }
  return isEnabled(skill, config) ? 'on' : 'off';
}

/** Only what is in a folder of its own is ever changed. */
export function isWritable({ source, path }: SkillEntry): boolean {
  return source.writable && path !== '';
}

function entryOf(stored: StoredSkill, state: 'offered' | 'shadowed'): SkillEntry {
  const { id: name, source, path, diagnostics, updatedAt } = stored;
  return { name, skill: stored, stored, source, path, state, updatedAt, diagnostics };
}

/** Of a `SKILL.md` that could not be read only its folder is known. */
function unreadableEntry({ source, path, diagnostic }: BrokenSkill): SkillEntry {
  const location = { source, path };
  const { skill } = parseSkill(new Uint8Array(), folderNameOf(location));
  const [folder = '', above = ''] = fullPathOf(location).split('/').toReversed();
  return {
    name: slug(folder) || slug(above) || 'skill',
    skill,
    stored: undefined,
    ...location,
    state: 'unreadable',
    updatedAt: 0,
    diagnostics: [diagnostic],
  };
}

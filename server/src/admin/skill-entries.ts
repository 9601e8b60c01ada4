import { basename, dirname, relative } from 'node:path';
import type { SkillStatus } from '@knowhow/shared/admin-skill';
import { problem } from '@knowhow/shared/problem';
import type { Diagnostic } from '@knowhow/shared/skills';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import { parseSkill, type Skill, slug } from '../skill-format/skill-format.ts';
import type { BrokenSkill, SkillSnapshot, StoredSkill } from '../skill-store/skill-snapshot.ts';
import type { SkillSource } from '../skill-store/skill-source.ts';
import { isEnabled } from '../skills/skill-view.ts';

/** One folder with a `SKILL.md`, whatever became of it. */
export interface SkillEntry {
  name: string;
  skill: Skill;
  /** None of a `SKILL.md` that could not be read. */
  stored: StoredSkill | undefined;
  source: SkillSource;
  directory: string;
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

/** Only what is in a folder of its own right in the local source is ever changed. */
export function isWritable({ source, directory }: SkillEntry): boolean {
  return source.kind === 'local' && directory !== source.directory;
}

/** The folder of a local skill, as the writer takes it. */
export function folderOf({ source, directory }: SkillEntry): string {
  return relative(source.directory, directory);
}

/** A place as an admin knows it, without the path of the host. */
export function placeOf(entry: SkillEntry): string {
  return `${entry.source.kind}:${folderOf(entry) || '.'}`;
}

function entryOf(stored: StoredSkill, state: 'offered' | 'shadowed'): SkillEntry {
  const { id: name, source, directory, diagnostics, updatedAt } = stored;
  return { name, skill: stored, stored, source, directory, state, updatedAt, diagnostics };
}

/** Of a `SKILL.md` that could not be read only its folder is known. */
function unreadableEntry({ directory, source, diagnostic }: BrokenSkill): SkillEntry {
  const folder = basename(directory);
  const { skill } = parseSkill(new Uint8Array(), folder);
  return {
    name: slug(folder) || slug(basename(dirname(directory))) || 'skill',
    skill,
    stored: undefined,
    source,
    directory,
    state: 'unreadable',
    updatedAt: 0,
    diagnostics: [diagnostic],
  };
}

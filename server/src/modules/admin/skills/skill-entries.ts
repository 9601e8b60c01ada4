import { type Problem, problem } from '@knowhow/shared/problem';
import type { SkillStatus } from '@knowhow/shared/skills/admin-skill';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { groupBy } from '../../../platform/lib/group-by.ts';
import {
  type BrokenSkill,
  getBlock,
  getFolderName,
  getFullPath,
  isEnabled,
  parseSkill,
  type Skill,
  type SkillLocation,
  type SkillSnapshot,
  type StoredSkill,
} from '../../skills/index.ts';

/** A folder with a `SKILL.md`, valid or not. */
export interface SkillEntry extends SkillLocation {
  name: string;
  skill: Skill;
  /** Undefined for an unreadable `SKILL.md`. */
  stored: StoredSkill | undefined;
  state: 'offered' | 'shadowed' | 'unreadable';
  /** Last change of its `SKILL.md` in ms; 0 if it is unreadable. */
  updatedAt: number;
  diagnostics: readonly Diagnostic[];
}

interface Entries {
  all: readonly SkillEntry[];
  byName: ReadonlyMap<string, readonly SkillEntry[]>;
}

const entries = new WeakMap<SkillSnapshot, Entries>();

/** All skills by name; the effective one of each name comes first. */
export function skillEntries(snapshot: SkillSnapshot): readonly SkillEntry[] {
  return entriesOf(snapshot).all;
}

/** The skills with this name; the effective one comes first. */
export function entriesNamed(snapshot: SkillSnapshot, name: string): readonly SkillEntry[] {
  return entriesOf(snapshot).byName.get(name) ?? [];
}

/** The skills on which the policy and rights on a name depend: the effective one, and the local ones that it hides. */
export function publishedEntries(snapshot: SkillSnapshot, name: string): SkillEntry[] {
  const found = [...entriesNamed(snapshot, name), ...entriesNamed(snapshot, slug(name))];
  return found.filter(({ source }, at) => at === 0 || source.writable);
}

/** Cached per snapshot. */
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
  const result = { all, byName: groupBy(all, ({ name }) => name) };
  entries.set(snapshot, result);
  return result;
}

/** The effective skill, otherwise a broken one with this name. Throws `not-found`. */
export function findEntry(snapshot: SkillSnapshot, name: string): SkillEntry {
  const stored = snapshot.skills.get(name) ?? snapshot.skills.get(slug(name));
  const entry = stored ? entryOf(stored, 'offered') : entriesNamed(snapshot, name)[0];
  if (!entry) {
    throw problem('not-found', `There is no skill "${name}".`);
  }
  return entry;
}

/** Unreadable skills are broken; those without a description are off, with an error diagnostic. */
export function getSkillStatus({ skill, state }: SkillEntry, config: SkillsConfig): SkillStatus {
  if (state === 'shadowed') {
    return 'shadowed';
  }
  if (getBlock(skill.id, config)) {
    return 'blocked';
  }
  if (state === 'unreadable' || !skill.loads) {
    return 'broken';
  }
  return isEnabled(skill, config) ? 'on' : 'off';
}

/** Only skills in their own folder can be edited. */
export function isWritable({ source, path }: SkillEntry): boolean {
  return source.writable && path !== '';
}

/** Skills whose content is in `contents/`: it has versions. */
export function isVersioned(entry: SkillEntry): boolean {
  return isWritable(entry) || (entry.source.kind === 'plugin' && entry.state === 'offered');
}

function entryOf(stored: StoredSkill, state: 'offered' | 'shadowed'): SkillEntry {
  const { id: name, source, path, diagnostics, updatedAt } = stored;
  return { name, skill: stored, stored, source, path, state, updatedAt, diagnostics };
}

/** For an unreadable `SKILL.md`, only the folder is known. */
function unreadableEntry({ source, path, diagnostic }: BrokenSkill): SkillEntry {
  const location = { source, path };
  const { skill } = parseSkill(new Uint8Array(), getFolderName(location));
  const [folder = '', above = ''] = getFullPath(location).split('/').toReversed();
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

/** The problem for a version that a skill does not have. */
export function noVersion(name: string, number: number): Problem {
  return problem(
    'not-found',
    `Skill "${name}" has no version ${number}. List its versions to see which are kept.`,
  );
}

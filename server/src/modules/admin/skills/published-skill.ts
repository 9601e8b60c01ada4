import type { ManifestFile } from '../../skills/index.ts';
import { writableEntry } from './change-skill.ts';
import { findNameConflict } from './create-skill.ts';
import { checkSkillName } from './new-skill-name.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { isWritable, type SkillEntry } from './skill-entries.ts';
import { localEntry, openSkill } from './skill-versions.ts';

/** The published state of a skill that drafts may change. */
export interface PublishedSkill {
  /** Its name or, for a new skill, the wanted one. */
  name: string;
  /** Undefined if it does not exist. */
  entry: SkillEntry | undefined;
  /** Number of its newest version, which may be a deletion; undefined for none. */
  newest: number | undefined;
  /** Checksum of its files; undefined if it does not exist. */
  checksum: string | undefined;
}

/**
 * Finds the local skill of this name, and records what changed in the file system. Throws `invalid-request` for a
 * name that no skill can have.
 */
export async function findPublished(admin: SkillAdmin, name: string): Promise<PublishedSkill> {
  const entry = localEntry(admin.skills.snapshot, name, isWritable);
  if (entry) {
    const { current } = await openSkill(admin, entry.name);
    return { name: entry.name, entry, newest: current.number, checksum: current.checksum };
  }
  // A name becomes a path below.
  checkSkillName(name);
  const { items } = await admin.versions.list(name, { limit: 1 });
  return { name, entry: undefined, newest: items[0]?.number, checksum: undefined };
}

/** The files of the published version; none if the skill does not exist. */
export async function readPublishedManifest(
  { versions }: SkillAdmin,
  { name, entry, newest }: PublishedSkill,
): Promise<ManifestFile[]> {
  return entry && newest !== undefined ? ((await versions.manifest(name, newest)) ?? []) : [];
}

/** Throws `read-only` if another source has a skill of this name. */
export async function checkWritable(
  admin: SkillAdmin,
  { name, entry }: PublishedSkill,
): Promise<void> {
  if (!entry && (await findNameConflict(admin, name)) !== undefined) {
    writableEntry(admin, name);
  }
}

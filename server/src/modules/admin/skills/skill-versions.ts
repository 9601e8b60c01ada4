import { problem } from '@knowhow/shared/problem';
import type { VersionChange } from '@knowhow/shared/skills/file-changes';
import type { SkillVersion, VersionFile } from '@knowhow/shared/skills/skill-versions';
import { parseCursor } from '../../../platform/lib/cursors.ts';
import {
  compareManifests,
  describeContent,
  getFolderOrigin,
  type ManifestFile,
  readContent,
  type StoredVersion,
} from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import {
  entriesNamed,
  findEntry,
  isVersioned,
  noVersion,
  type SkillEntry,
} from './skill-entries.ts';

interface Page {
  limit: number;
  cursor?: string | undefined;
}

/**
 * A page of the versions of a skill, also of a deleted one. Records changes of the file system first.
 * Throws `not-found` for an unknown skill.
 */
export async function listVersions(
  admin: SkillAdmin,
  name: string,
  { limit, cursor }: Page,
): Promise<{ items: SkillVersion[]; total: number; nextCursor?: string }> {
  const before = parseCursor(cursor);
  const { id, current } = await openSkill(admin, name);
  const { items, total } = await admin.versions.list(id, { limit: limit + 1, before });
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((version) => withCurrent(version, current)),
    total,
    ...(items.length > limit && last ? { nextCursor: String(last.number) } : {}),
  };
}

/** A version with the list of its files. */
export async function describeVersion(
  admin: SkillAdmin,
  name: string,
  number: number,
): Promise<{ version: SkillVersion; files: VersionFile[] }> {
  const { id, current } = await openSkill(admin, name);
  const version = await findVersion(admin, id, number);
  const manifest = (await admin.versions.manifest(id, number)) ?? [];
  const sizes = await admin.versions.sizes(manifest);
  const files = manifest.map(({ path, digest, executable }) => ({
    path,
    size: sizes.get(digest) ?? 0,
    executable,
    ...(sizes.has(digest) ? {} : { isMissing: true as const }),
  }));
  return { version: withCurrent(version, current), files };
}

/** The content of a file of a version. */
export async function readVersionFile(
  { versions, skills }: SkillAdmin,
  { skill, number, path }: { skill: string; number: number; path: string },
): Promise<Buffer> {
  const id = localEntry(skills.snapshot, skill)?.name ?? skill;
  const manifest = await versions.manifest(id, number);
  const file = manifest?.find((each) => each.path === path);
  const bytes = file && (await versions.content(file));
  if (!bytes) {
    throw manifest
      ? problem('not-found', `Version ${number} of skill "${id}" has no file '${path}'.`)
      : noVersion(id, number);
  }
  return bytes;
}

/** Compares a version with an earlier or later one; by default with the one before. */
export async function compareVersions(
  admin: SkillAdmin,
  name: string,
  { number, from }: { number: number; from?: number | undefined },
): Promise<{ from?: SkillVersion; to: SkillVersion; changes: VersionChange[] }> {
  const { versions } = admin;
  const { id, current } = await openSkill(admin, name);
  const to = await findVersion(admin, id, number);
  const other = from ?? (await versions.numberBefore(id, number));
  const before = other === undefined ? undefined : await findVersion(admin, id, other);
  const manifestOf = async (version: StoredVersion | undefined): Promise<ManifestFile[]> =>
    (version && (await versions.manifest(id, version.number))) ?? [];
  const changes = await compareManifests(await manifestOf(before), await manifestOf(to), versions);
  return {
    ...(before ? { from: withCurrent(before, current) } : {}),
    to: withCurrent(to, current),
    changes,
  };
}

interface Current {
  /** Number of the newest version. */
  number: number | undefined;
  /** Checksum of the files now; undefined for a deleted skill. */
  checksum: string | undefined;
}

/** Finds a skill with versions, and records what changed in the file system. */
export async function openSkill(
  admin: SkillAdmin,
  name: string,
): Promise<{ id: string; current: Current }> {
  const { versions, skills } = admin;
  const entry = localEntry(skills.snapshot, name);
  const id = entry?.name ?? name;
  const checksum = entry && (await describeContent(entry)).checksum;
  const newestOf = async () => (await versions.list(id, { limit: 1 })).items[0];
  let newest = await newestOf();
  if (entry && newest?.checksum !== checksum) {
    // The versions can be read even if the database cannot be written.
    await recordFound(admin, entry).catch(() => undefined);
    newest = await newestOf();
  }
  if (!newest) {
    findEntry(skills.snapshot, name);
  }
  return { id, current: { number: newest?.number, checksum } };
}

async function recordFound({ writer, versions }: SkillAdmin, entry: SkillEntry): Promise<void> {
  await writer.exclusive(async () => {
    await versions.keepBefore(entry.name, await readContent(entry), getFolderOrigin(entry));
  });
}

async function findVersion(
  { versions }: SkillAdmin,
  id: string,
  number: number,
): Promise<StoredVersion> {
  const version = await versions.get(id, number);
  if (!version) {
    throw noVersion(id, number);
  }
  return version;
}

function withCurrent(
  { category: _, ...version }: StoredVersion,
  { number, checksum }: Current,
): SkillVersion {
  const isCurrent =
    checksum !== undefined && version.number === number && version.checksum === checksum;
  return { ...version, isCurrent };
}

/** The skill of a name whose content has versions. */
export function localEntry(
  snapshot: SkillAdmin['skills']['snapshot'],
  name: string,
  isWanted: (entry: SkillEntry) => boolean = isVersioned,
): SkillEntry | undefined {
  return entriesNamed(snapshot, name).find(isWanted);
}

import type { VersionChange } from '@knowhow/shared/skills/file-changes';
import { createFileComparer, type PackedFile } from '@knowhow/skill-format';
import { addToGroup } from '../../../platform/lib/group-by.ts';
import type { ManifestFile } from './manifest.ts';
import type { SkillVersions } from './skill-versions.ts';

/** Contents of changed files that are read for one comparison, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The files that differ between two versions, by path. A removed file with the same content as an
 * added one is renamed. Beyond 4 MiB of contents, files are named without their differences.
 */
export async function compareManifests(
  before: readonly ManifestFile[],
  after: readonly ManifestFile[],
  versions: Pick<SkillVersions, 'sizes' | 'content'>,
): Promise<VersionChange[]> {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .filter((path) => !isSame(old.get(path), now.get(path)));
  const sizes = await versions.sizes(
    changed.flatMap((path) => [old.get(path), now.get(path)]).filter((file) => file !== undefined),
  );
  const sizeOf = (file: ManifestFile | undefined) => (file && sizes.get(file.digest)) ?? 0;
  const renamed = findRenamed(changed, old, now);
  const formerPaths = new Set([...renamed.values()].map(({ path }) => path));
  const compare = createFileComparer();
  const changes: VersionChange[] = [];
  let left = maxBytes;
  for (const path of changed.filter((each) => !formerPaths.has(each))) {
    const former = renamed.get(path);
    const [was, is] = [old.get(path), now.get(path)];
    if (former && is) {
      const size = sizeOf(is);
      changes.push({ ...renaming(former, is), path, bytesBefore: size, bytesAfter: size });
      continue;
    }
    left -= sizeOf(was) + sizeOf(is);
    const read = (file: ManifestFile | undefined) => readFile(file, versions);
    changes.push(
      left < 0
        ? nameChange(path, { was, is, sizeOf })
        : compare(path, { old: await read(was), now: await read(is) }),
    );
  }
  return changes;
}

function isSame(one: ManifestFile | undefined, other: ManifestFile | undefined): boolean {
  return one?.digest === other?.digest && one?.executable === other?.executable;
}

/** Removed files by the path at which the same content was added; each at most once. */
function findRenamed(
  changed: readonly string[],
  old: ReadonlyMap<string, ManifestFile>,
  now: ReadonlyMap<string, ManifestFile>,
): Map<string, ManifestFile> {
  const removed = new Map<string, ManifestFile[]>();
  for (const path of changed) {
    const file = old.get(path);
    if (file && !now.has(path)) {
      addToGroup(removed, file.digest, file);
    }
  }
  const renamed = new Map<string, ManifestFile>();
  for (const path of changed) {
    const file = now.get(path);
    const former = file && !old.has(path) ? removed.get(file.digest)?.shift() : undefined;
    if (former) {
      renamed.set(path, former);
    }
  }
  return renamed;
}

function renaming(former: ManifestFile, file: ManifestFile): Omit<VersionChange, 'path'> {
  return {
    change: 'renamed',
    pathBefore: former.path,
    ...(former.executable === file.executable ? {} : { executable: file.executable }),
  };
}

function nameChange(
  path: string,
  {
    was,
    is,
    sizeOf,
  }: {
    was: ManifestFile | undefined;
    is: ManifestFile | undefined;
    sizeOf: (file: ManifestFile) => number;
  },
): VersionChange {
  return {
    path,
    change: was ? (is ? 'changed' : 'removed') : 'added',
    ...(was ? { bytesBefore: sizeOf(was) } : {}),
    ...(is ? { bytesAfter: sizeOf(is) } : {}),
  };
}

async function readFile(
  file: ManifestFile | undefined,
  versions: Pick<SkillVersions, 'content'>,
): Promise<PackedFile | undefined> {
  const bytes = file && (await versions.content(file));
  return file && { path: file.path, executable: file.executable, bytes: bytes ?? Buffer.alloc(0) };
}

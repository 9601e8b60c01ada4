import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupParts } from '@knowhow/shared/config/backup';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf } from '@knowhow/shared/problem';
import type { CollectedFaults } from '../archives/collect-faults.ts';
import { type OpenZip, openZipFile } from '../archives/open-zip-file.ts';
import type { Report } from '../archives/unpack-faults.ts';
import { type UnpackedFile, unpackMembers } from '../archives/unpack-members.ts';
import { backupLimits } from './backup-limits.ts';
import { isPart, partOf, pathOfEntry } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { choiceOf, foldersOver, isEntry } from './choose-entries.ts';
import { dataPath, dataTables } from './data-tables.ts';
import { takeIhubUsers } from './ihub-users.ts';
import {
  type Manifest,
  type ManifestFile,
  manifestFormat,
  manifestPath,
  manifestSchema,
  manifestVersion,
} from './manifest.ts';
import {
  ihubUsersPath,
  isForeign,
  type RecognisedBackup,
  recogniseBackup,
} from './recognise-backup.ts';
import { collectBackupFaults, refusedBackup } from './refused-backup.ts';
import { migrateFormerRows } from './rows/migrate-rows.ts';
import { countRows } from './rows/read-rows.ts';

interface Unpacking {
  /** A folder that does not exist yet. */
  directory: string;
  /** What to call it where it cannot be written. */
  name: string;
  /** Down to the disk: for what is to become the state. */
  durable: boolean;
}

/**
 * Reads a backup from a zip and unpacks it. All of it is checked: the archive itself, that nothing is
 * missing and everything is as the manifest says, and every row. Throws one problem that lists what is
 * wrong. What the configuration means is for `planRestore`.
 */
export async function readBackup(file: string, target: Unpacking): Promise<BackupSource> {
  const faults = collectBackupFaults();
  const zip = await openZipFile(file, faults.report, backupLimits);
  try {
    faults.refuse();
    const found = recogniseBackup(zip.members, faults.report);
    faults.refuse();
    refuseUnknown(found);
    return await unpack(zip, found, { target, faults });
  } finally {
    await zip.close();
  }
}

async function unpack(
  zip: OpenZip,
  found: RecognisedBackup,
  { target, faults }: { target: Unpacking; faults: CollectedFaults },
): Promise<BackupSource> {
  const { report, refuse } = faults;
  const members = new Map(found.members);
  if (found.manifest) {
    members.set(manifestPath, found.manifest);
  }
  const unpacked = await unpackMembers(zip, members, { target, report });
  refuse();
  const manifest = found.manifest ? await readManifest(target.directory) : undefined;
  const files = unpacked.filter(({ path }) => path !== manifestPath);
  const named = manifest ? await compareWithManifest(files, manifest, report) : files;
  const source: BackupSource = {
    format: found.format,
    createdAt: manifest?.createdAt,
    app: manifest?.app,
    directory: target.directory,
    files: new Map(named.filter(isContent).map((file) => [file.path, file])),
    names: manifest?.parts ?? namesOf(named),
    isExact: false,
    rows: new Map(),
    addsUsers: false,
    notUsed: found.notUsed,
    leftOut: manifest?.leftOut ?? [],
    withheld: manifest?.withheld ?? [],
    warnings: [],
  };
  await migrateFormerRows(source, manifest?.migration, report);
  await takeRows(source, report);
  refuseNames(source, report);
  refuse();
  return source;
}

/** The manifest may say that it is of what is not there. */
function refuseNames({ names, files }: BackupSource, report: Report): void {
  const chosen = choiceOf(names);
  const there = new Set([...files.keys()].flatMap((path) => [path, ...foldersOver(path)]));
  for (const name of names.filter((one) => !isPart(one))) {
    if (!isEntry(name) || !there.has(pathOfEntry(name))) {
      report(name, { code: 'manifest', message: 'The manifest says that this is in the backup.' });
    }
  }
  for (const path of files.keys()) {
    if (!chosen.covers(path)) {
      report(path, { code: 'manifest', message: 'It is of no part that the manifest names.' });
    }
  }
}

/** A zip of something else entirely, such as a single skill. */
function refuseUnknown({ manifest, members }: RecognisedBackup): void {
  const parts = [...members.keys()].map(partOf);
  if (!manifest && !parts.some((part) => part !== undefined && part !== 'other')) {
    throw refusedBackup({
      code: 'not-a-backup',
      message:
        'It holds neither a manifest.json nor a folder contents/ with apps, models, prompts, config or skills in it. Choose a zip that was exported as a backup.',
    });
  }
}

async function readManifest(directory: string): Promise<Manifest> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(join(directory, manifestPath), 'utf8'));
  } catch {
    throw refusedBackup({ code: 'manifest', message: 'manifest.json is not valid JSON.' });
  }
  refuseNewer(value);
  const result = parseWith(manifestSchema, value);
  if (!result.success) {
    const [issue] = issuesOf(result.error);
    const message = `manifest.json is not one of a backup: ${issue?.path}: ${issue?.message}`;
    throw refusedBackup({ code: 'manifest', message });
  }
  return result.data;
}

function refuseNewer(value: unknown): void {
  const { format, version, app } = (value ?? {}) as Record<string, unknown>;
  if (format === manifestFormat && typeof version === 'number' && version > manifestVersion) {
    throw refusedBackup({
      code: 'newer-version',
      message: `It was made by Knowhow ${String(app).slice(0, 100)}, in version ${version} of the format; this one reads up to version ${manifestVersion}. Upgrade first.`,
    });
  }
}

/** The files that the manifest names, each of which has to be there as it says, and no others. */
async function compareWithManifest(
  files: readonly UnpackedFile[],
  manifest: Manifest,
  report: Report,
): Promise<UnpackedFile[]> {
  const found = new Map(files.map((file) => [file.path, file]));
  const named = new Map<string, ManifestFile>();
  for (const expected of manifest.files) {
    const file = found.get(expected.path);
    if (named.has(expected.path)) {
      report(expected.path, { code: 'manifest', message: 'The manifest names it twice.' });
    } else if (!file) {
      const message = 'The manifest names it, but it is not in the archive.';
      report(expected.path, { code: 'missing', message });
    } else if (file.size !== expected.size || file.sha256 !== expected.sha256) {
      const message = 'It is not the file that the manifest describes.';
      report(expected.path, { code: 'digest', message });
    }
    named.set(expected.path, expected);
  }
  for (const { path, diskPath } of files.filter((file) => !named.has(file.path))) {
    if (isForeign(path)) {
      await rm(diskPath);
    } else {
      report(path, { code: 'not-in-manifest', message: 'The manifest does not name it.' });
    }
  }
  return withModes(files, named);
}

/** Not every tool that packs a backup again keeps the executable bits; the manifest has them. */
async function withModes(
  files: readonly UnpackedFile[],
  named: ReadonlyMap<string, ManifestFile>,
): Promise<UnpackedFile[]> {
  const wanted: UnpackedFile[] = [];
  for (const file of files.filter(({ path }) => named.has(path))) {
    const executable = named.get(file.path)?.executable ?? false;
    if (executable !== file.executable) {
      await chmod(file.diskPath, executable ? 0o755 : 0o644);
    }
    wanted.push({ ...file, executable });
  }
  return wanted;
}

function isContent({ path }: UnpackedFile): boolean {
  return partOf(path) !== 'data' && path !== ihubUsersPath;
}

/**
 * Without a manifest: what there is. Only of the folders of items is it known that they are meant to
 * be complete; of the rest, what is not there may just not have been packed.
 */
function namesOf(files: readonly UnpackedFile[]): string[] {
  const names = files.filter(isContent).flatMap(({ path }) => {
    const part = partOf(path);
    const [, first = '', second = ''] = path.split('/');
    if (part === 'config') {
      return [`config/${second}`];
    }
    return part === 'other' ? [`other/${first}`] : [String(part)];
  });
  return [...new Set(names)].sort(
    (one, other) => partIndex(one) - partIndex(other) || (one < other ? -1 : 1),
  );
}

function partIndex(name: string): number {
  const [part = ''] = name.split('/');
  return isPart(part) ? backupParts.indexOf(part) : -1;
}

async function takeRows(source: BackupSource, report: Report): Promise<void> {
  await takeIhubUsers(source, report);
  for (const table of dataTables) {
    const count = await countRows(join(source.directory, dataPath(table)), table, report);
    if (count !== undefined) {
      source.rows.set(table, count);
    }
  }
  const files = source.names.filter((name) => name !== 'data');
  source.names = source.rows.size > 0 ? [...files, 'data'] : files;
}

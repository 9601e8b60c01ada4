import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupParts } from '@knowhow/shared/config/backup';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf } from '@knowhow/shared/problem';
import type { TableList } from '../../platform/storage/module-tables.ts';
import {
  type IssueCollector,
  type OpenZip,
  openZipFile,
  type ReportIssue,
  type UnpackedFile,
  unpackMembers,
} from '../skills/index.ts';
import { backupLimits } from './backup-limits.ts';
import { dataPath, getPart, isPart, pathOfEntry } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { createChoice, isEntry, parentFolders } from './choose-entries.ts';
import { importIhubUsers } from './ihub-users.ts';
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

interface UnpackTarget {
  /** A folder that does not exist yet. */
  directory: string;
  /** Its name in error messages. */
  name: string;
  /** Whether to sync to disk; required for what will be restored. */
  durable: boolean;
  /** The tables of this installation. */
  tables: TableList;
}

/**
 * Reads a backup from a zip and unpacks it. Checks the archive, its completeness and integrity against the manifest,
 * and every row. Throws one problem that lists all issues. The meaning of the configuration is checked by
 * `planRestore`.
 */
export async function readBackup(file: string, target: UnpackTarget): Promise<BackupSource> {
  const faults = collectBackupFaults();
  const zip = await openZipFile(file, faults.report, backupLimits);
  try {
    faults.refuse();
    const found = recogniseBackup(zip.members, faults.report);
    faults.refuse();
    rejectUnknown(found);
    return await unpack(zip, found, { target, faults });
  } finally {
    await zip.close();
  }
}

async function unpack(
  zip: OpenZip,
  found: RecognisedBackup,
  { target, faults }: { target: UnpackTarget; faults: IssueCollector },
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
  const listed = manifest ? await compareWithManifest(files, manifest, report) : files;
  const source: BackupSource = {
    format: found.format,
    createdAt: manifest?.createdAt,
    app: manifest?.app,
    directory: target.directory,
    files: new Map(listed.filter(isContent).map((file) => [file.path, file])),
    names: manifest?.parts ?? inferNames(listed),
    isExact: false,
    rows: new Map(),
    addsUsers: false,
    notUsed: found.notUsed,
    leftOut: manifest?.leftOut ?? [],
    withheld: manifest?.withheld ?? [],
    warnings: [],
  };
  const { tables } = target;
  await migrateFormerRows(source, { migration: manifest?.migration, tables, report });
  await loadRows(source, tables, report);
  checkNames(source, report);
  refuse();
  return source;
}

/** Checks that what the manifest lists exists, and that every file is covered. */
function checkNames({ names, files }: BackupSource, report: ReportIssue): void {
  const chosen = createChoice(names);
  const present = new Set([...files.keys()].flatMap((path) => [path, ...parentFolders(path)]));
  for (const name of names.filter((one) => !isPart(one))) {
    if (!isEntry(name) || !present.has(pathOfEntry(name))) {
      report(name, {
        code: 'manifest',
        message: 'The manifest lists it, but it is not in the backup.',
      });
    }
  }
  for (const path of files.keys()) {
    if (!chosen.covers(path)) {
      report(path, {
        code: 'manifest',
        message: 'It does not belong to a part that the manifest lists.',
      });
    }
  }
}

/** Rejects an unrelated zip, such as one of a single skill. */
function rejectUnknown({ manifest, members }: RecognisedBackup): void {
  const parts = [...members.keys()].map(getPart);
  if (!manifest && !parts.some((part) => part !== undefined && part !== 'other')) {
    throw refusedBackup({
      code: 'not-a-backup',
      message:
        'It contains neither a manifest.json nor a folder contents/ with apps, models, prompts, config or skills in it. Choose a zip that was exported as a backup.',
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
  rejectNewer(value);
  const result = parseWith(manifestSchema, value);
  if (!result.success) {
    const [issue] = issuesOf(result.error);
    const message = `manifest.json is not a backup manifest: ${issue?.path}: ${issue?.message}`;
    throw refusedBackup({ code: 'manifest', message });
  }
  return result.data;
}

function rejectNewer(value: unknown): void {
  const { format, version, app } = (value ?? {}) as Record<string, unknown>;
  if (format === manifestFormat && typeof version === 'number' && version > manifestVersion) {
    throw refusedBackup({
      code: 'newer-version',
      message: `It was made by Knowhow ${String(app).slice(0, 100)}, in version ${version} of the format; this one reads up to version ${manifestVersion}. Upgrade first.`,
    });
  }
}

/** Returns the files that the manifest lists. Reports missing, changed and unlisted ones. */
async function compareWithManifest(
  files: readonly UnpackedFile[],
  manifest: Manifest,
  report: ReportIssue,
): Promise<UnpackedFile[]> {
  const found = new Map(files.map((file) => [file.path, file]));
  const listed = new Map<string, ManifestFile>();
  for (const expected of manifest.files) {
    const file = found.get(expected.path);
    if (listed.has(expected.path)) {
      report(expected.path, { code: 'manifest', message: 'The manifest lists it twice.' });
    } else if (!file) {
      const message = 'The manifest lists it, but it is not in the archive.';
      report(expected.path, { code: 'missing', message });
    } else if (file.size !== expected.size || file.sha256 !== expected.sha256) {
      const message = 'It is not the file that the manifest describes.';
      report(expected.path, { code: 'digest', message });
    }
    listed.set(expected.path, expected);
  }
  for (const { path, diskPath } of files.filter((file) => !listed.has(file.path))) {
    if (isForeign(path)) {
      await rm(diskPath);
    } else {
      report(path, { code: 'not-in-manifest', message: 'The manifest does not name it.' });
    }
  }
  return applyModes(files, listed);
}

/** Restores the executable bits from the manifest, because repacking with other tools may lose them. */
async function applyModes(
  files: readonly UnpackedFile[],
  listed: ReadonlyMap<string, ManifestFile>,
): Promise<UnpackedFile[]> {
  const updated: UnpackedFile[] = [];
  for (const file of files.filter(({ path }) => listed.has(path))) {
    const executable = listed.get(file.path)?.executable ?? false;
    if (executable !== file.executable) {
      await chmod(file.diskPath, executable ? 0o755 : 0o644);
    }
    updated.push({ ...file, executable });
  }
  return updated;
}

function isContent({ path }: UnpackedFile): boolean {
  return getPart(path) !== 'data' && path !== ihubUsersPath;
}

/**
 * The names of a backup without a manifest, from its files. Only items' folders are assumed to be complete; other
 * files may be missing because they were not packed.
 */
function inferNames(files: readonly UnpackedFile[]): string[] {
  const names = files.filter(isContent).flatMap(({ path }) => {
    const part = getPart(path);
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

async function loadRows(
  source: BackupSource,
  tables: TableList,
  report: ReportIssue,
): Promise<void> {
  await importIhubUsers(source, report);
  for (const table of tables.backup) {
    const count = await countRows(join(source.directory, dataPath(table.name)), table, report);
    if (count !== undefined) {
      source.rows.set(table.name, count);
    }
  }
  const files = source.names.filter((name) => name !== 'data');
  source.names = source.rows.size > 0 ? [...files, 'data'] : files;
}

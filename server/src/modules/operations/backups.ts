import { randomUUID } from 'node:crypto';
import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { RestorePlan, Snapshot } from '@knowhow/shared/config/backup';
import { backupParts } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { limitConcurrency } from '../../platform/lib/limit-concurrency.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';
import { newestMigration, type TableList } from '../../platform/storage/module-tables.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { AllowVariables, Contents } from '../content/index.ts';
import type { SkillRoots, UnpackedFile } from '../skills/index.ts';
import { dataPath, restoreFolder } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { type Choice, chooseEntries } from './choose-entries.ts';
import { digestOf } from './compare-states.ts';
import { copyTree } from './copy-tree.ts';
import { listCurrentFiles } from './current-files.ts';
import { exportBackup } from './export-backup.ts';
import { getLayout } from './layout.ts';
import type { LeftOut } from './list-tree.ts';
import { listTree } from './list-tree.ts';
import { type PlannedRestore, planRestore } from './plan-restore.ts';
import { withPublishedSkills } from './published-skills.ts';
import { readBackup } from './read-backup.ts';
import { temporaryFolder, tidyUpRestores } from './recover-restore.ts';
import { type RestoreInput, restore, type TakeOver } from './restore.ts';
import { readJournal } from './restore-journal.ts';
import { migrateFormerRows } from './rows/migrate-rows.ts';
import { countRows } from './rows/read-rows.ts';
import type { FoundSnapshot } from './snapshots.ts';
import { findSnapshot, listSnapshots, newSnapshotId, removeSnapshot } from './snapshots.ts';

/** Backups of the whole installation, and their restore. */
export interface Backups {
  /** Folder for uploads and temporary files in the data folder; emptied at startup. */
  readonly temporaryFolder: string;
  state(): Promise<{ contentsBytes: number; contentsFiles: number; restoring: boolean }>;
  /** Streams a zip. Destroy the stream to abort. Throws if there is no configuration. */
  export(options: ExportOptions): Promise<Readable>;
  /** A preview of restoring this zip (dry run). Throws `invalid-archive`. */
  plan(file: string, only?: readonly string[]): Promise<RestorePlan>;
  /**
   * Restores a zip or a selection of it and returns what was done. Throws `invalid-archive` if the plan has issues,
   * `conflict` during another restore, or `write-problem`. Nothing has changed in these cases.
   */
  restore(file: string, options: RestoreOptions): Promise<{ plan: RestorePlan; snapshot: string }>;
  /** Snapshots of earlier states, newest first. */
  snapshots(): Promise<Snapshot[]>;
  /** Restores a snapshot; returns the ID of a new snapshot of the replaced state. */
  restoreSnapshot(id: string, by: Person): Promise<string>;
  removeSnapshot(id: string): Promise<void>;
}

export interface ExportOptions {
  /** Whether to include users and conversations. */
  data: boolean;
  only?: readonly string[] | undefined;
}

export interface RestoreOptions {
  only?: readonly string[] | undefined;
  by: Person;
}

interface Person {
  id: string;
  name: string;
}

export interface BackupDependencies extends SkillRoots {
  /**
   * Environment variables that placeholders of a backup may read, by the names it lists. Restores in the admin pages
   * must not extend them.
   */
  allow: AllowVariables;
  /** Whether the restore may configure commands that run on this machine. */
  mayRunCommands?: boolean;
  /** Version of the application. */
  version: string;
  cluster: Cluster;
  database: Database;
  tables: TableList;
  /** The active configuration. */
  contents: () => Contents;
  /** Excludes everything else that writes configuration or skills. */
  exclusively: <Result>(run: () => Promise<Result>) => Promise<Result>;
  takeOver?: TakeOver | undefined;
  /** Wraps the replacement of files and the reload, if the choice includes skills or their versions. */
  replaceFiles?: <Result>(run: () => Promise<Result>, choice: Choice) => Promise<Result>;
  /** Called within `exclusively` after files have changed; resolves once they are active. */
  reload: () => Promise<void>;
}

/** Lease held while a snapshot is restored or removed. */
const restoreLease = 'restore';

export function createBackups(dependencies: BackupDependencies): Backups {
  const { cluster, dataDirectory, contents, tables } = dependencies;
  // Limits memory and disk usage of this process.
  const planWithLock = limitConcurrency(1);
  const withRestoreLease = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const lease = await cluster.lease(restoreLease, {});
    if (!lease) {
      throw problem('conflict', 'A restore is under way. Wait until it has ended, then try again.');
    }
    try {
      return await run();
    } finally {
      await lease.release();
    }
  };
  const list = () => listCurrentFiles(getLayout(dependencies, contents().skills));
  return {
    temporaryFolder: temporaryFolder(dataDirectory),
    state: async () => {
      const files = [...(await list()).files.values()];
      const restoring = (await cluster.holder(restoreLease)) !== undefined;
      const contentsBytes = files.reduce((sum, { size }) => sum + size, 0);
      return { contentsBytes, contentsFiles: files.length, restoring };
    },
    export: (options) => exportState(dependencies, options),
    plan: (file, only) => planWithLock(() => planOnly(dependencies, file, only)),
    restore: (file, { only, by }) =>
      withRestoreLease(() => {
        const read = (directory: string) =>
          readBackup(file, { directory, name: 'contents/', durable: true, tables });
        return apply(dependencies, { read, only, by, action: 'restore' });
      }),
    snapshots: () => listSnapshots(dataDirectory),
    restoreSnapshot: (id, by) =>
      withRestoreLease(async () => {
        const found = await findSnapshot(dataDirectory, id);
        const read = (directory: string) => openSnapshot(found, directory, tables);
        const action = 'restore-snapshot';
        return (await apply(dependencies, { read, only: undefined, by, action })).snapshot;
      }),
    removeSnapshot: (id) => withRestoreLease(() => removeSnapshot(dataDirectory, id)),
  };
}

interface ExportSource
  extends SkillRoots,
    Pick<BackupDependencies, 'version' | 'contents' | 'tables'> {
  /** Only needed for users and conversations, and if edits of skills in the file system are reviewed. */
  database: Database | undefined;
}

/**
 * Exports an installation as a streamed zip, whether a server is running on it or not. Throws `not-found` if there is
 * no configuration.
 */
export async function exportState(
  { database, tables, version, contents, ...roots }: ExportSource,
  { data, only }: ExportOptions,
  onLeftOut?: (leftOut: readonly LeftOut[]) => void,
): Promise<Readable> {
  const { contentsDirectory } = roots;
  const layout = getLayout(roots, contents().skills);
  const { files: current, leftOut } = await listCurrentFiles(layout);
  const files = await withPublishedSkills(current, database);
  refuseEmpty(files.keys(), contentsDirectory);
  const names = only ?? backupParts.filter((part) => part !== 'data');
  const from = { paths: [...files.keys()], contentsDirectory };
  const choice = await chooseEntries(names, { from, others: [], ...contents() });
  const withData = data || choice.hasPart('data');
  return exportBackup({
    files: [...files.values()].filter(({ path }) => choice.covers(path)),
    leftOut: leftOut.filter(({ path }) => choice.covers(path)),
    parts: [...choice.names.filter((name) => name !== 'data'), ...(withData ? ['data'] : [])],
    database: withData ? database : undefined,
    tables,
    app: version,
    onLeftOut,
  });
}

async function planOnly(
  dependencies: BackupDependencies,
  file: string,
  only: readonly string[] | undefined,
): Promise<RestorePlan> {
  const directory = join(temporaryFolder(dependencies.dataDirectory), randomUUID());
  const target = { directory, name: 'The data folder', durable: false };
  try {
    const source = await readBackup(file, { ...target, tables: dependencies.tables });
    return (await plannedFor(dependencies, source, only)).plan;
  } catch (error) {
    throw toWriteProblem(error, 'The data folder');
  } finally {
    // If removal fails, the next start cleans up.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

function plannedFor(
  dependencies: BackupDependencies,
  source: BackupSource,
  only: readonly string[] | undefined,
): Promise<PlannedRestore> {
  return planRestore(source, only, { ...dependencies, contents: dependencies.contents() });
}

interface RestoreAction extends Pick<RestoreInput, 'by' | 'action'> {
  /** Unpacks the source of the restore into a folder. */
  read: (directory: string) => Promise<BackupSource>;
  only: readonly string[] | undefined;
}

async function apply(
  dependencies: BackupDependencies,
  { read, only, by, action }: RestoreAction,
): Promise<{ plan: RestorePlan; snapshot: string }> {
  const { database, tables, dataDirectory, contentsDirectory, takeOver } = dependencies;
  const { exclusively, reload, replaceFiles } = dependencies;
  const id = await newSnapshotId(dataDirectory);
  const directory = join(contentsDirectory, restoreFolder, id);
  try {
    await exclusively(() => tidyUpRestores(dependencies));
    await makeFolder(directory);
    const source = await read(join(directory, 'new'));
    const plan = async () => {
      const planned = await plannedFor(dependencies, source, only);
      assertNotRefused(planned.plan);
      return planned;
    };
    const apply = async (planned: PlannedRestore) => {
      const migration = newestMigration(tables.migrations);
      const staging = { id, directory, dataDirectory, by: by.name, migration };
      await restore(planned, { database, tables, staging, by, action, takeOver });
      await reload();
      return { plan: planned.plan, snapshot: id };
    };
    return await exclusively(async () => {
      const planned = await plan();
      return replaceFiles && touchesSkills(planned.choice)
        ? // Files may have changed when it runs.
          await replaceFiles(async () => apply(await plan()), planned.choice)
        : await apply(planned);
    });
  } catch (error) {
    throw toWriteProblem(error, 'contents/ or the data folder');
  } finally {
    await removeStaging(directory, dataDirectory).catch(() => undefined);
  }
}

function touchesSkills({ hasPart, names }: Choice): boolean {
  return hasPart('data') || names.some((name) => name === 'skills' || name.startsWith('skills/'));
}

/** Keeps the staging folder while the journal needs it for a pending rollback. */
async function removeStaging(directory: string, dataDirectory: string): Promise<void> {
  if (await readJournal(dataDirectory)) {
    return;
  }
  await rm(directory, { recursive: true, force: true });
  await rmdir(dirname(directory)).catch(() => undefined);
}

function assertNotRefused({ refused }: RestorePlan): void {
  const [first] = refused;
  if (first) {
    const more = refused.length > 1 ? ` And ${refused.length - 1} more.` : '';
    throw problem(
      'invalid-archive',
      `Nothing was restored. ${first.path}: ${first.message}${more}`,
      { issues: refused.slice(0, 100) },
    );
  }
}

const configuration = /^contents\/(?:config\/groups\.json$|apps\/|models\/)/;

/**
 * Throws `not-found` if there is no configuration at all, e.g. because a volume is not mounted. An empty backup would
 * look valid and might replace a good one.
 *
 * @param paths of all files, as in a backup
 */
function refuseEmpty(paths: Iterable<string>, contentsDirectory: string): void {
  for (const path of paths) {
    if (configuration.test(path)) {
      return;
    }
  }
  throw problem(
    'not-found',
    `There is no configuration in ${contentsDirectory}: neither config/groups.json nor anything in apps/ or models/. Check that it is mounted and that CONTENTS_DIR is correct.`,
  );
}

/** Copies a snapshot into a new folder, so that it can be restored and still exists afterwards. */
async function openSnapshot(
  { snapshot, migration, folder }: FoundSnapshot,
  directory: string,
  tables: TableList,
): Promise<BackupSource> {
  try {
    await makeFolder(directory);
    for (const name of ['contents', 'data']) {
      if (await lstat(join(folder, name)).catch(() => undefined)) {
        await copyTree(join(folder, name), join(directory, name));
      }
    }
  } catch (error) {
    throw toWriteProblem(error, 'contents/');
  }
  const files = new Map<string, UnpackedFile>();
  for (const file of (await listTree(join(directory, 'contents'), 'contents')).files) {
    files.set(file.path, { ...file, sha256: await digestOf(file) });
  }
  const source: BackupSource = {
    format: 'knowhow',
    createdAt: snapshot.at,
    app: undefined,
    directory,
    files,
    names: snapshot.parts,
    isExact: true,
    rows: new Map(),
    addsUsers: false,
    notUsed: [],
    leftOut: [],
    withheld: [],
    warnings: [],
  };
  await migrateFormerRows(source, { migration, tables, report: () => undefined });
  for (const table of tables.backup) {
    const count = await countRows(join(directory, dataPath(table.name)), table, () => undefined);
    if (count !== undefined) {
      source.rows.set(table.name, count);
    }
  }
  return source;
}

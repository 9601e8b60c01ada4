import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RestorePlan } from '@knowhow/shared/config/backup';
import { defaultPlatform } from '@knowhow/shared/config/platform';
import { problem } from '@knowhow/shared/problem';
import {
  allowVariables,
  openContentStore,
  openSharedContents,
  readGeneration,
  type SharedContents,
} from '../modules/content/index.ts';
import {
  type Accounts,
  createAccounts,
  createPasswords,
  getSessionLimits,
  passwordRounds,
} from '../modules/identity/index.ts';
import { type Backups, createBackups, recoverRestore } from '../modules/operations/index.ts';
import { readReviewState, writeReviewState } from '../modules/skills/index.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { createLog } from '../platform/lib/log.ts';
import { toReadProblem } from '../platform/lib/read-problem.ts';
import { FolderInUse } from '../platform/storage/lock-folder.ts';
import { type InstallationLock, lockInstallation } from '../platform/storage/lock-installation.ts';
import { type Database, openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { hasDatabase } from './open-existing-database.ts';
import { renderTable } from './render-table.ts';
import type { Installation, Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  dryRun: boolean;
  /** Skips the confirmation. */
  yes: boolean;
  only: readonly string[] | undefined;
}

/** The actor in the audit log. */
const by = { id: 'command', name: 'knowhow restore' };
const confirmationWord = 'restore';

/**
 * Shows what a backup would change and, once confirmed, restores it. No server may be running,
 * except for a dry run.
 */
export async function restoreCommand(
  file: string,
  { dryRun, yes, only }: Options,
  terminal: Terminal,
): Promise<number> {
  await refuseUnreadable(file);
  const installation = terminal.installation();
  if (dryRun && !(await hasDatabase(installation))) {
    return inTemporaryInstallation(installation, (elsewhere) =>
      restoreInto(elsewhere, { file, dryRun, yes, only }, terminal),
    );
  }
  const lock = dryRun ? undefined : await lockOrExplain(installation);
  try {
    return await restoreInto(installation, { file, dryRun, yes, only }, terminal);
  } finally {
    await lock?.release();
  }
}

/** Checked before anything is created. */
async function refuseUnreadable(file: string): Promise<void> {
  try {
    if (!(await stat(file)).isFile()) {
      throw problem('not-found', `${file} is not a file.`);
    }
    await access(file, constants.R_OK);
  } catch (error) {
    throw toReadProblem(error, file);
  }
}

/** A dry run on an empty installation must leave nothing behind. */
async function inTemporaryInstallation<Result>(
  installation: Installation,
  run: (elsewhere: Installation) => Promise<Result>,
): Promise<Result> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'knowhow-restore-'));
  try {
    return await run({ ...installation, dataDirectory });
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function restoreInto(
  installation: Installation,
  options: Options & { file: string },
  terminal: Terminal,
): Promise<number> {
  const database = await openDatabase(installation, tables.migrations);
  let files: SharedContents | undefined;
  try {
    const passwords = createPasswords(passwordRounds);
    const sessionLimits = () => getSessionLimits(defaultPlatform);
    const accounts = createAccounts({ database, passwords, sessionLimits });
    // Like the first start of a server: a backup without users needs an administrator.
    const password = await accounts.ensureAdmin(undefined);
    try {
      files = options.dryRun ? undefined : await openFiles(installation, database);
      const backups = await openBackups(installation, { database, files });
      return await planAndRestore({ backups, ...options }, terminal);
    } finally {
      await files?.close();
      // Even after a failure, since later starts will not create it again.
      const isMade = password !== undefined && !options.dryRun;
      await passwords.close();
      if (isMade && (await hasGeneratedPassword(database, accounts))) {
        terminal.out(`An administrator was made: name "admin", password "${password}".`);
      }
    }
  } finally {
    await database.destroy();
  }
}

/**
 * Recovers from an interrupted restore. If configuration and skills are in the database, returns
 * the folder that mirrors them.
 */
async function openFiles(
  { contentsDirectory: directory, dataDirectory }: Installation,
  database: Database,
): Promise<SharedContents | undefined> {
  await recoverRestore({ database, contentsDirectory: directory, dataDirectory });
  const isShared = (await readGeneration(database)) !== undefined;
  const context = { cluster: createLocalCluster(), log: createLog('silent') };
  return isShared ? openSharedContents({ directory, database, ...context }) : undefined;
}

/** Whether `admin` is still the created account with the generated password. */
async function hasGeneratedPassword(database: Database, accounts: Accounts): Promise<boolean> {
  const users = database.selectFrom('users').select('id').where('username', '=', 'admin');
  const admin = await users.executeTakeFirst();
  return admin !== undefined && accounts.hasMadePassword(admin.id);
}

async function planAndRestore(
  { backups, file, dryRun, yes, only }: Options & { backups: Backups; file: string },
  terminal: Terminal,
): Promise<number> {
  const plan = await backups.plan(file, only);
  terminal.out(renderPlan(plan));
  if (plan.refused.length > 0) {
    terminal.error('It cannot be restored.');
    return 1;
  }
  if (dryRun || !(await isConfirmed(yes, terminal))) {
    return 0;
  }
  const { snapshot } = await backups.restore(file, { only, by });
  terminal.out(
    `Restored. What was there before is kept: snapshot ${snapshot} on the page /admin/backup.`,
  );
  return 0;
}

async function lockOrExplain(installation: Installation): Promise<InstallationLock> {
  try {
    return await lockInstallation(installation);
  } catch (error) {
    if (error instanceof FolderInUse) {
      const wayOut = 'Restore on its page /admin/backup, or stop it and try again.';
      throw new FolderInUse(`A server runs on this installation. ${wayOut}\n${error.message}`);
    }
    throw error;
  }
}

async function openBackups(
  installation: Installation,
  { database, files }: { database: Database; files: SharedContents | undefined },
): Promise<Backups> {
  const { contentsDirectory, variables } = installation;
  const allow = allowVariables(variables);
  const content = await openContentStore(contentsDirectory, allow);
  return createBackups({
    ...installation,
    cluster: createLocalCluster(),
    database,
    tables,
    contents: () => content.current,
    // Anyone who can run commands on this machine can read its environment anyway.
    allow: (listed) => allow([...listed, ...content.current.platform.placeholders]),
    mayRunCommands: true,
    takeOver: files?.takeOver,
    exclusively: files?.write ?? ((run) => run()),
    replaceFiles: async (run, choice) => {
      const isReviewed = (await readReviewState(database)) !== 'off';
      const result = await run();
      // The next start of a server publishes the restored skills: no edit is left. Otherwise, it makes drafts.
      if (isReviewed && choice.hasPart('skills')) {
        await writeReviewState(database, 'restoring');
      }
      return result;
    },
    reload: async () => {
      await content.reload();
    },
  });
}

function renderPlan(plan: RestorePlan): string {
  const { added, changed, removed, same } = plan;
  const rows = Object.entries(plan.data)
    .filter(([kind, count]) => count > 0 || mainKinds.has(kind))
    .map(([kind, count]) => [count, rowNames[kind] ?? kind.replaceAll('_', ' ')]);
  const shown = plan.changes.map(({ change, path }) => [change, path]);
  const hidden = added + changed + removed - shown.length;
  return [
    describe(plan),
    `${formatCount(added, 'file')} added, ${changed} changed, ${removed} removed, ${same} the same`,
    ...(shown.length > 0 ? [renderTable(shown)] : []),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ...(rows.length > 0 ? ['Data:', renderTable(rows)] : []),
    ...plan.notUsed.map(({ path, message }) => `Not used: ${path}: ${message}`),
    ...plan.warnings.map((warning) => `Warning: ${warning}`),
    ...plan.refused.map(({ path, message }) => `Refused: ${path}: ${message}`),
  ].join('\n');
}

/** Shown even if the backup has none, because the current ones would be removed. */
const mainKinds: ReadonlySet<string> = new Set(['users', 'conversations']);

/** Readable names of tables. */
const rowNames: Readonly<Record<string, string>> = {
  activations: 'skill activations',
  lines: 'branches of conversations',
  vendor_states: 'provider states',
};

function describe({ format, createdAt, app, chosen }: RestorePlan): string {
  const origin = format === 'ihub' ? 'A backup of iHub' : `A backup of Knowhow ${app ?? ''}`;
  const time = createdAt === undefined ? '' : `, of ${createdAt}`;
  return `${origin.trimEnd()}${time}: ${chosen.join(', ')}`;
}

async function isConfirmed(yes: boolean, terminal: Terminal): Promise<boolean> {
  if (yes) {
    return true;
  }
  const answer = await terminal.ask(`Type "${confirmationWord}" to restore it: `);
  if (answer === undefined) {
    throw new UsageError(
      'There is no terminal to confirm it. Add --yes to restore without asking.',
    );
  }
  if (answer.trim() === confirmationWord) {
    return true;
  }
  terminal.out('Nothing was restored.');
  return false;
}

import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';
import { createAuditLog } from '../../platform/storage/audit-log.ts';
import { databaseProblem, isContradiction } from '../../platform/storage/database-problem.ts';
import { lockAllTablesForWrite } from '../../platform/storage/lock-all-tables.ts';
import type { BackupTable, TableList } from '../../platform/storage/module-tables.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { lockContents } from '../content/index.ts';
import { isFolderPart } from './backup-paths.ts';
import { copyTree } from './copy-tree.ts';
import { getDiskPath } from './layout.ts';
import { type Exchange, planExchanges } from './plan-exchanges.ts';
import type { PlannedRestore } from './plan-restore.ts';
import { keepRows, restoreRows } from './restore-data.ts';
import {
  isThere,
  type Journal,
  type Move,
  makeMoves,
  readJournal,
  removeJournal,
  undoMoves,
  writeJournal,
} from './restore-journal.ts';
import {
  finishSnapshot,
  newSnapshot,
  removeOldSnapshots,
  type SnapshotLocation,
} from './snapshots.ts';

export interface RestoreInput {
  database: Database;
  tables: TableList;
  staging: Staging;
  by: { id: string; name: string };
  /** Set if files are stored in the database too: stores changed ones in the same transaction. */
  takeOver: TakeOver | undefined;
  /** Name of the action in the audit log. */
  action: 'restore' | 'restore-snapshot';
}

/** Returns a function to call once that is committed. */
export type TakeOver = (write: Transaction<Schema>) => Promise<() => void>;

/**
 * Executes a checked restore atomically. First the rows are written in an open transaction; then files are renamed;
 * then the transaction is committed together with an audit entry. That entry decides, also after a crash: if it
 * exists, the new state is kept, otherwise all renames are rolled back. Throws `write-problem`, with the old state
 * intact.
 */
export async function restore(planned: PlannedRestore, input: RestoreInput): Promise<void> {
  const { database, tables, staging } = input;
  const { dataDirectory } = staging;
  try {
    const journal = await stageRestore(planned, staging);
    const confirm = await database.transaction().execute(async (write) => {
      await lockContents(write);
      await lockAllTablesForWrite(write);
      if (planned.choice.hasPart('data')) {
        await keepRows(write, replacedTables(planned, tables), `${journal.snapshot}.new`);
        await restoreRows(write, planned.source, tables.backup);
      }
      const what = { kind: 'backup' as const, target: journal.id, after: summarise(planned) };
      await createAuditLog(write).record({ by: input.by, action: input.action, ...what });
      await makeMoves(journal);
      return input.takeOver?.(write);
    });
    confirm?.();
  } catch (error) {
    await settleRestore(database, dataDirectory).catch((cause: unknown) => {
      throw problem(
        'not-writable',
        'The restore failed and could not be rolled back. Check the disk, then restart the server, which restores the former state.',
        { cause },
      );
    });
    throw toProblem(error);
  }
  // The restore is complete; remaining cleanup happens before the next one or at the next start.
  await settleRestore(database, dataDirectory).catch(() => undefined);
}

/** Completes or rolls back what the journal describes, if there is one. */
export async function settleRestore(database: Database, dataDirectory: string): Promise<void> {
  const journal = await readJournal(dataDirectory);
  if (!journal) {
    return;
  }
  if (await isCommitted(database, journal)) {
    await finishSnapshot(journal.snapshot);
    await removeOldSnapshots(dataDirectory);
  } else {
    await undoMoves(journal);
    await rm(`${journal.snapshot}.new`, { recursive: true, force: true });
  }
  for (const leftover of journal.leftovers) {
    await rm(leftover, { recursive: true, force: true });
    await rmdir(dirname(leftover)).catch(() => undefined);
  }
  await removeJournal(dataDirectory);
}

async function isCommitted(database: Database, { id }: Journal): Promise<boolean> {
  const entry = await database
    .selectFrom('audit')
    .select('id')
    .where('kind', '=', 'backup')
    .where('target', '=', id)
    .executeTakeFirst();
  return entry !== undefined;
}

function summarise({ plan }: PlannedRestore) {
  const { format, chosen, added, changed, removed, same, data } = plan;
  return { format, chosen, added, changed, removed, same, data };
}

function replacedTables({ source }: PlannedRestore, { backup }: TableList): BackupTable[] {
  return backup.filter(({ part }) => source.rows.has(part));
}

function toProblem(error: unknown): unknown {
  if (isContradiction(error)) {
    return problem(
      'invalid-archive',
      'The backup is refused, and nothing was changed. Its rows contradict each other: something is in it twice.',
      { cause: error },
    );
  }
  return databaseProblem(error) ?? toWriteProblem(error, 'contents/ or the data folder');
}

interface Staging extends SnapshotLocation {
  /** ID of the restore. */
  id: string;
  /** In `contents/`; contains `new/`, the source of the restore. */
  directory: string;
}

/**
 * Prepares a restore: new files are staged next to their targets, folders for old ones exist, and the journal is
 * written. Nothing of the installation has been changed yet.
 */
async function stageRestore(planned: PlannedRestore, staging: Staging): Promise<Journal> {
  const { choice, layout, current, source } = planned;
  const { id, dataDirectory, directory } = staging;
  const snapshot = newSnapshot(staging, id);
  const folders = { id, staged: source.directory, snapshot: snapshot.unfinished };
  await makeFolder(snapshot.unfinished);
  for (const part of choice.names.filter(isFolderPart)) {
    await makeFolder(join(source.directory, 'contents', part));
  }
  const exchanges = (await planExchanges(choice, layout, folders)).filter(
    ({ path }) => !planned.kept.has(path),
  );
  const stagings = exchanges
    .filter((one) => !one.isOnSameMount || !one.isKeptByRename)
    .map((one) => one.mountStaging);
  const leftovers = [...new Set([...stagings, directory])];
  const journal: Journal = { id, moves: [], snapshot: snapshot.finished, leftovers };
  await writeJournal(dataDirectory, journal);
  await stageUntouched(planned, exchanges);
  for (const exchange of exchanges) {
    journal.moves.push(await planMove(exchange, { ...folders, directory }));
  }
  await snapshot.describe({ planned, files: current.files });
  await writeJournal(dataDirectory, journal);
  return journal;
}

interface Folders {
  staged: string;
  snapshot: string;
  directory: string;
}

async function planMove(exchange: Exchange, folders: Folders): Promise<Move> {
  const { path, target, isOnSameMount, isKeptByRename, mountStaging } = exchange;
  const source = join(folders.staged, path);
  const arrives = await isThere(source);
  const leaves = await isThere(target);
  const staged = isOnSameMount ? source : join(mountStaging, 'new', path);
  if (!isOnSameMount && arrives) {
    await copyTree(source, staged);
  }
  const localKept = join(isOnSameMount ? folders.directory : mountStaging, 'old', path);
  if (!isKeptByRename && leaves) {
    await copyTree(target, join(folders.snapshot, path));
  }
  const kept = isKeptByRename ? join(folders.snapshot, path) : localKept;
  return { target, staged, arrives, kept, leaves };
}

/** Copies secrets and files that cannot be in a backup into folders that are replaced, so that they stay. */
async function stageUntouched(
  { current, source, layout, kept }: PlannedRestore,
  exchanges: readonly Exchange[],
): Promise<void> {
  const others = [...kept].map((path) => ({ path, diskPath: getDiskPath(layout, path) }));
  for (const { path, diskPath } of [...current.secrets, ...others]) {
    if (exchanges.some((one) => path.startsWith(`${one.path}/`))) {
      const staged = join(source.directory, path);
      await rm(staged, { force: true });
      await copyTree(diskPath, staged);
    }
  }
}

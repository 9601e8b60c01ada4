import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { backupStateSchema } from '@knowhow/shared/config/backup';
import type { z } from 'zod';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { getErrorMessage } from '../../platform/lib/get-error-message.ts';
import type { Log } from '../../platform/lib/log.ts';
import { removeTemporaries } from '../../platform/lib/write-file-atomic.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';
import { writeBackupFile } from './write-backup-file.ts';

/** Scheduled backups. */
export interface ScheduledBackups {
  /** Schedule, last backup and last error. */
  state(): Schedule;
  /** Stops the schedule and aborts a running backup. */
  stop(): Promise<void>;
}

type Schedule = NonNullable<z.infer<typeof backupStateSchema>['schedule']>;
type BackupInfo = NonNullable<Schedule['last']>;

interface Options {
  cluster: Cluster;
  directory: string;
  cron: string;
  /** Number of backups to keep. */
  keep: number;
  /** Creates a backup as a zip. */
  makeBackup: () => Promise<Readable>;
  log: Log;
}

export const backupLease = 'scheduled backups';

/** File names with UTC timestamps, which sort by time. */
const backupName = /^knowhow-\d{8}-\d{6}\.zip$/;

/** Writes backups into a folder on schedule and deletes the oldest. */
export async function scheduleBackups(options: Options): Promise<ScheduledBackups> {
  const { cluster, directory, cron, makeBackup, log } = options;
  let archive: Readable | undefined;
  let running: Promise<void> = Promise.resolve();
  let last: BackupInfo | undefined;
  let error: string | undefined;
  const withErrorState = async (work: () => Promise<void>) => {
    try {
      await work();
      error = undefined;
    } catch (cause) {
      error = getErrorMessage(cause);
      log.error({ error: cause }, 'scheduled backups fail');
    }
  };
  const createBackup = async (lost: AbortSignal) => {
    const backup = await makeBackup();
    archive = backup;
    // Another node has taken over the schedule; a second file with the same name would conflict.
    const abort = () => backup.destroy(new Error('Another node makes the backups now.'));
    lost.addEventListener('abort', abort, { once: true });
    if (lost.aborted) {
      abort();
    }
    last = await writeBackup(directory, backup);
    log.info(last, 'a backup was created');
    await removeOldest(options, last.file);
  };
  await withErrorState(async () => {
    last = await prepareFolder(directory);
  });
  const job = cluster.oneNode(backupLease, cron, (lost) => {
    running = withErrorState(() => createBackup(lost));
    return running;
  });
  return {
    state: () => {
      const next = job.nextRun()?.toISOString();
      return { cron, ...(next && { next }), ...(last && { last }), ...(error && { error }) };
    },
    stop: async () => {
      job.stop();
      archive?.destroy();
      await running;
    },
  };
}

/** Creates the folder and returns its newest backup. */
async function prepareFolder(directory: string): Promise<BackupInfo | undefined> {
  try {
    await makeFolder(directory);
    await removeTemporaries(directory);
    const file = (await listBackups(directory)).at(-1);
    if (file === undefined) {
      return undefined;
    }
    const { mtime, size } = await stat(join(directory, file));
    return { at: mtime.toISOString(), file, bytes: size };
  } catch (error) {
    throw toWriteProblem(error, `The folder of backups ${directory}`);
  }
}

async function writeBackup(directory: string, archive: Readable): Promise<BackupInfo> {
  const at = new Date().toISOString();
  const [date, time] = at.slice(0, 19).replace(/[-:]/g, '').split('T');
  const file = `knowhow-${date}-${time}.zip`;
  return { at, file, bytes: await writeBackupFile(join(directory, file), archive) };
}

/** @param backup the new backup, which is kept even if its name is not the newest after a clock change */
async function removeOldest({ directory, keep }: Options, backup: string): Promise<void> {
  const others = (await listBackups(directory)).filter((name) => name !== backup);
  for (const name of others.slice(0, Math.max(0, others.length - keep + 1))) {
    await rm(join(directory, name), { force: true });
  }
}

/** Oldest first. */
async function listBackups(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => backupName.test(name)).sort();
}

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { backupStateSchema } from '@knowhow/shared/config/backup';
import type { z } from 'zod';
import type { Cluster } from '../cluster/cluster.ts';
import { makeFolder } from '../lib/durable-fs.ts';
import type { Log } from '../lib/log.ts';
import { messageOf } from '../lib/message-of.ts';
import { notWritable } from '../lib/not-writable.ts';
import { removeTemporaries } from '../lib/write-file-atomic.ts';
import { writeBackupFile } from './write-backup-file.ts';

/** Scheduled backups. */
export interface ScheduledBackups {
  /** How they fare. */
  state(): Schedule;
  /** Makes none any more, and does not finish the one under way. */
  stop(): Promise<void>;
}

type Schedule = NonNullable<z.infer<typeof backupStateSchema>['schedule']>;
type Made = NonNullable<Schedule['last']>;

interface Options {
  cluster: Cluster;
  directory: string;
  cron: string;
  /** How many are kept. */
  keep: number;
  /** A new backup as a zip. */
  makeBackup: () => Promise<Readable>;
  log: Log;
}

export const backupLease = 'scheduled backups';

/** Names sort by time, which is UTC. */
const nameOfBackup = /^knowhow-\d{8}-\d{6}\.zip$/;

/** Writes a backup into a folder whenever it is time, and removes the oldest. */
export async function scheduleBackups(options: Options): Promise<ScheduledBackups> {
  const { cluster, directory, cron, makeBackup, log } = options;
  let archive: Readable | undefined;
  let running: Promise<void> = Promise.resolve();
  let last: Made | undefined;
  let error: string | undefined;
  const orError = async (doing: () => Promise<void>) => {
    try {
      await doing();
      error = undefined;
    } catch (cause) {
      error = messageOf(cause);
      log.error({ error: cause }, 'scheduled backups fail');
    }
  };
  const makeOne = async (lost: AbortSignal) => {
    const made = await makeBackup();
    archive = made;
    // Another node makes the next one; a second file with that name would be in its way.
    const giveUp = () => made.destroy(new Error('Another node makes the backups now.'));
    lost.addEventListener('abort', giveUp, { once: true });
    if (lost.aborted) {
      giveUp();
    }
    last = await writeBackup(directory, made);
    log.info(last, 'a backup was made');
    await removeOldest(options, last.file);
  };
  await orError(async () => {
    last = await prepare(directory);
  });
  const job = cluster.oneNode(backupLease, cron, (lost) => {
    running = orError(() => makeOne(lost));
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

/** Makes the folder, and gives the newest backup that is there. */
async function prepare(directory: string): Promise<Made | undefined> {
  try {
    await makeFolder(directory);
    await removeTemporaries(directory);
    const file = (await backupsIn(directory)).at(-1);
    if (file === undefined) {
      return undefined;
    }
    const { mtime, size } = await stat(join(directory, file));
    return { at: mtime.toISOString(), file, bytes: size };
  } catch (error) {
    throw notWritable(error, `The folder of backups ${directory}`);
  }
}

async function writeBackup(directory: string, archive: Readable): Promise<Made> {
  const at = new Date().toISOString();
  const [date, time] = at.slice(0, 19).replace(/[-:]/g, '').split('T');
  const file = `knowhow-${date}-${time}.zip`;
  return { at, file, bytes: await writeBackupFile(join(directory, file), archive) };
}

/** @param made stays, also when its name is not the newest because the clock was set back */
async function removeOldest({ directory, keep }: Options, made: string): Promise<void> {
  const others = (await backupsIn(directory)).filter((name) => name !== made);
  for (const name of others.slice(0, Math.max(0, others.length - keep + 1))) {
    await rm(join(directory, name), { force: true });
  }
}

/** The oldest first. */
async function backupsIn(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => nameOfBackup.test(name)).sort();
}

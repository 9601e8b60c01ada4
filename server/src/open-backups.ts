import { type Backups, createBackups } from './backup/backups.ts';
import { type ScheduledBackups, scheduleBackups } from './backup/schedule-backups.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import type { SharedContents } from './content/shared/shared-contents.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import type { OpenSkills } from './open-skills.ts';
import type { Database } from './storage/open-database.ts';

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  opened: OpenSkills;
  /** Runs one change of the configuration at a time. */
  withLock: <Result>(run: () => Promise<Result>) => Promise<Result>;
  version: string;
  /** Undefined where `contents/` is a folder of this process alone. */
  files: SharedContents | undefined;
}

/** Backups of what the server has open: while one is restored, nothing else is written. */
export function openBackups(
  environment: Environment,
  { cluster, content, database, opened, withLock, version, files }: Dependencies,
): Backups {
  const { writer, skills, followSources } = opened;
  return createBackups({
    ...environment,
    cluster,
    version,
    database,
    contents: () => content.current,
    allow: () => content.current.variables,
    takeOver: files?.takeOver,
    // In the order in which other changes take the two.
    exclusively: (run) => writer.exclusive(() => withLock(run)),
    reload: async () => {
      await content.reload();
      followSources();
      await skills.refresh();
    },
  });
}

/** Scheduled backups, if they are wanted. */
export async function openSchedule(
  { backupSchedule }: Environment,
  { backups, cluster, log }: { backups: Backups; cluster: Cluster; log: Log },
): Promise<ScheduledBackups | undefined> {
  if (!backupSchedule) {
    return undefined;
  }
  const { data, ...schedule } = backupSchedule;
  return scheduleBackups({
    ...schedule,
    cluster,
    makeBackup: () => backups.export({ data }),
    log,
  });
}

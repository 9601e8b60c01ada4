import type { Environment } from './env.ts';
import type { ContentStore, SharedContents } from './modules/content/index.ts';
import type { SessionCache } from './modules/identity/index.ts';
import {
  type Backups,
  createBackups,
  type ScheduledBackups,
  scheduleBackups,
} from './modules/operations/index.ts';
import type { OpenSkills } from './open-skills.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';
import { tables } from './tables.ts';

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  opened: OpenSkills;
  sessionCache: SessionCache;
  /** Serializes configuration changes. */
  withLock: <Result>(run: () => Promise<Result>) => Promise<Result>;
  version: string;
  /** Undefined if `contents/` belongs to this process alone. */
  files: SharedContents | undefined;
}

/** Backups of the running server; a restore blocks all other writes. */
export function openBackups(
  environment: Environment,
  { cluster, content, database, opened, sessionCache, withLock, version, files }: Dependencies,
): Backups {
  const { writer, skills, followSources, rereadVersions, folderReview } = opened;
  return createBackups({
    ...environment,
    cluster,
    version,
    database,
    tables,
    contents: () => content.current,
    allow: () => content.current.variables,
    takeOver: files?.takeOver,
    // Same lock order as other changes, to avoid deadlocks.
    exclusively: (run) => writer.exclusive(() => withLock(run)),
    replaceFiles: folderReview.replaceFiles,
    reload: async () => {
      // A restore replaces users.
      await sessionCache.forgetAll();
      await content.reload();
      followSources();
      await rereadVersions();
      await skills.refresh();
    },
  });
}

/** Scheduled backups, if configured. */
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

import { purgeExpired, type SkillAdmin } from './modules/admin/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { ignore } from './platform/lib/ignore.ts';
import type { Log } from './platform/lib/log.ts';

interface Dependencies
  extends Pick<SkillAdmin, 'audit' | 'bin' | 'contents' | 'secrets' | 'skills' | 'writer'> {
  cluster: Cluster;
  log: Log;
  recordRemoved: () => Promise<void>;
}

const name = 'skill bin';
const everyTenMinutes = '41 */10 * * * *';

/** One node moves skills to the bin whose folders were removed, and deletes those whose time there has ended. */
export function openSkillBin({ cluster, log, recordRemoved, ...admin }: Dependencies): {
  stop(): Promise<void>;
} {
  const stopped = new AbortController();
  const tidy = async (signal: AbortSignal) => {
    try {
      await recordRemoved();
      await purgeExpired(admin, signal);
    } catch (error) {
      log.error({ error }, 'the bin of skills could not be cleaned up');
    }
  };
  // Not awaited: requests are served meanwhile.
  const started = cluster.atStart(name, () => tidy(stopped.signal)).catch(ignore);
  const job = cluster.oneNode(name, everyTenMinutes, tidy);
  return {
    stop: async () => {
      stopped.abort();
      job.stop();
      await started;
    },
  };
}

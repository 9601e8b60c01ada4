import { purgeExpired, type SkillAdmin } from './modules/admin/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { ignore } from './platform/lib/ignore.ts';
import type { Log } from './platform/lib/log.ts';

interface Dependencies
  extends Pick<SkillAdmin, 'audit' | 'bin' | 'contents' | 'secrets' | 'skills' | 'writer'> {
  cluster: Cluster;
  log: Log;
  recordRemoved: (signal: AbortSignal) => Promise<void>;
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
      await recordRemoved(signal);
      await purgeExpired({ ...admin, log }, signal);
    } catch (error) {
      log.error({ error }, 'the bin of skills could not be cleaned up');
    }
  };
  // Not awaited: requests are served meanwhile.
  const started = cluster.atStart(name, () => tidy(stopped.signal)).catch(ignore);
  let running = Promise.resolve();
  const job = cluster.oneNode(name, everyTenMinutes, (lost) => {
    running = tidy(AbortSignal.any([lost, stopped.signal]));
    return running;
  });
  return {
    stop: async () => {
      stopped.abort();
      job.stop();
      await Promise.all([started, running]);
    },
  };
}

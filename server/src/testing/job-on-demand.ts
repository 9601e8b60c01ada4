import type { Cluster } from '../platform/cluster/cluster.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';

/** A cluster that runs one of the scheduled jobs on demand only, and the others on schedule. */
export function jobOnDemand(job: string): { cluster: Cluster; run(): Promise<void> } {
  const local = createLocalCluster();
  let work: Parameters<Cluster['oneNode']>[2] | undefined;
  return {
    cluster: {
      ...local,
      oneNode: (name, cron, run) => {
        if (name !== job) {
          return local.oneNode(name, cron, run);
        }
        work = run;
        return { nextRun: () => undefined, stop: () => undefined };
      },
    },
    run: async () => work?.(new AbortController().signal),
  };
}

import { vi } from 'vitest';
import type { Cluster } from '../cluster/cluster.ts';
import { createLocalCluster } from '../cluster/local-cluster.ts';

interface SignInsOnDemand {
  cluster: Cluster;
  /** Goes on so many minutes later; what is used then, `use` does. Providers are asked again after that. */
  later(minutes: number, use: () => Promise<unknown>): Promise<void>;
}

/** A cluster in which providers are asked again for sessions when it is told to. Who uses it puts the clock right. */
export function signInsOnDemand(): SignInsOnDemand {
  const local = createLocalCluster();
  let work: Parameters<Cluster['oneNode']>[2] | undefined;
  return {
    cluster: {
      ...local,
      oneNode: (name, cron, run) => {
        if (name !== 'sign-ins') {
          return local.oneNode(name, cron, run);
        }
        work = run;
        return { nextRun: () => undefined, stop: () => undefined };
      },
    },
    later: async (minutes, use) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      await use();
      await work?.(new AbortController().signal);
    },
  };
}

import { vi } from 'vitest';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';

interface SignInsOnDemand {
  cluster: Cluster;
  /** Advances the clock, calls `use`, and then rechecks sessions with the providers. */
  later(minutes: number, use: () => Promise<unknown>): Promise<void>;
}

/**
 * A cluster that rechecks sessions with their providers on demand. Callers must restore the clock.
 */
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

import { vi } from 'vitest';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { jobOnDemand } from './job-on-demand.ts';

interface SignInsOnDemand {
  cluster: Cluster;
  /** Advances the clock, calls `use`, and then rechecks sessions with the providers. */
  later(minutes: number, use: () => Promise<unknown>): Promise<void>;
}

/**
 * A cluster that rechecks sessions with their providers on demand. Callers must restore the clock.
 */
export function signInsOnDemand(): SignInsOnDemand {
  const { cluster, run } = jobOnDemand('sign-ins');
  return {
    cluster,
    later: async (minutes, use) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      await use();
      await run();
    },
  };
}

import type { runnerApi } from '@knowhow/shared/config/runner';
import type { z } from 'zod';

type RunnerFacts = z.output<typeof runnerApi.state.response>;

/** The script runner as the admin API returns it. */
export function runnerFacts(fields: Partial<RunnerFacts> = {}): RunnerFacts {
  return {
    ...{ wanted: true, refused: false, tier: 'bubblewrap', status: 'ready', warnings: [] },
    runtimes: { python: '3.11.2', sh: '5.2.15', node: '20.19.0' },
    keepsCopies: false,
    ...fields,
  };
}

export const noRunner = runnerFacts({
  ...{ wanted: false, tier: undefined, status: 'none', runtimes: {} },
});

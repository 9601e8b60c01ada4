import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { withTimeout } from '../../../platform/lib/with-timeout.ts';
import { boundedRun } from './bounded-run.ts';
import { createBubblewrapRunner } from './bubblewrap-runner.ts';
import { createContainerRunner } from './container/container-runner.ts';
import { createProbeJob, runtimesIn } from './probe-job.ts';
import { createRemoteRunner, type RemoteRunner } from './remote-runner.ts';
import type { Runner } from './runner.ts';
import type { RunnerSettings } from './runner-settings.ts';

export interface FoundRunner {
  runner: Runner | undefined;
  /** The same runner, if it is remote. */
  remote?: RemoteRunner;
  /** Why none is available although one is configured. */
  reason?: string;
  /** Current problems of the runner. */
  problems?(): string[];
  close?(): void;
}

type Wanted = Pick<RunnerSettings, 'wanted'> &
  Partial<Pick<RunnerSettings, 'remote' | 'container'>> & {
    /** Unique owner label for its containers. */
    owner?: string;
  };

/**
 * How long startup waits for the first check. A runner that is unavailable now is used once it
 * appears.
 */
const patienceMs = { remote: 1000, container: 10_000 };

/** Finds the best available runner by running a probe script. */
export async function findRunner({
  wanted,
  remote,
  container,
  owner = '',
}: Wanted): Promise<FoundRunner> {
  if (wanted === 'off') {
    return { runner: undefined };
  }
  if (wanted === 'container' && container) {
    const runner = createContainerRunner({ ...container, owner });
    await withTimeout(patienceMs.container, runner.look());
    return { runner, problems: runner.problems, close: runner.close };
  }
  const local = wanted === 'remote' ? undefined : await tryBubblewrap();
  if (local?.runner || wanted === 'bubblewrap' || !remote) {
    return local ?? { runner: undefined };
  }
  const runner = createRemoteRunner(remote);
  await withTimeout(patienceMs.remote, runner.look());
  return { runner, remote: runner, close: runner.close };
}

async function tryBubblewrap(): Promise<FoundRunner> {
  const runner = createBubblewrapRunner({});
  try {
    const { exitCode, end, stdout, stderr } = await runner.run(
      createProbeJob(),
      new AbortController().signal,
    );
    if (end !== 'exit' || exitCode !== 0) {
      return {
        runner: undefined,
        reason: `a probe ended with ${exitCode ?? end}: ${stderr.trim()}`,
      };
    }
    const found = createBubblewrapRunner(runtimesIn(stdout));
    return { runner: { ...found, run: boundedRun(found.run) } };
  } catch (error) {
    return { runner: undefined, reason: getErrorMessage(error) };
  }
}

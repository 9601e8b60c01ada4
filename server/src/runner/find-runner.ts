import { messageOf } from '../lib/message-of.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { boundedRun } from './bounded-run.ts';
import { createBubblewrapRunner } from './bubblewrap-runner.ts';
import { createContainerRunner } from './container/container-runner.ts';
import { createRemoteRunner, type RemoteRunner } from './remote-runner.ts';
import type { Runner } from './runner.ts';
import type { RunnerSettings } from './runner-settings.ts';
import { runtimesIn, trialJob } from './trial.ts';

export interface FoundRunner {
  runner: Runner | undefined;
  /** The same, where it is elsewhere. */
  remote?: RemoteRunner;
  /** Why there is none although one is wanted. */
  reason?: string;
  /** What is wrong with it now. */
  problems?(): string[];
  close?(): void;
}

type Wanted = Pick<RunnerSettings, 'wanted'> &
  Partial<Pick<RunnerSettings, 'remote' | 'container'>> & {
    /** Whose containers they are: nobody else's may have this name. */
    owner?: string;
  };

/** From the first look at one elsewhere on the start waits no longer: what is away now is there later. */
const patienceMs = { remote: 1000, container: 10_000 };

/** Finds the best way to run scripts here, by running one. */
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
  const here = wanted === 'remote' ? undefined : await tryBubblewrap();
  if (here?.runner || wanted === 'bubblewrap' || !remote) {
    return here ?? { runner: undefined };
  }
  const runner = createRemoteRunner(remote);
  await withTimeout(patienceMs.remote, runner.look());
  return { runner, remote: runner, close: runner.close };
}

async function tryBubblewrap(): Promise<FoundRunner> {
  const runner = createBubblewrapRunner({});
  try {
    const { exitCode, end, stdout, stderr } = await runner.run(
      trialJob(),
      new AbortController().signal,
    );
    if (end !== 'exit' || exitCode !== 0) {
      return {
        runner: undefined,
        reason: `a trial ended with ${exitCode ?? end}: ${stderr.trim()}`,
      };
    }
    const found = createBubblewrapRunner(runtimesIn(stdout));
    return { runner: { ...found, run: boundedRun(found.run) } };
  } catch (error) {
    return { runner: undefined, reason: messageOf(error) };
  }
}

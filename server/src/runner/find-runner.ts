import { messageOf } from '../lib/message-of.ts';
import { within } from '../lib/within.ts';
import { boundedRunner } from './bounded-runner.ts';
import { createBubblewrapRunner } from './bubblewrap-runner.ts';
import { createRemoteRunner, type RemoteRunner } from './remote-runner.ts';
import type { Runner, Runtimes, ScriptKind } from './runner.ts';
import type { RunnerSettings } from './runner-settings.ts';

export interface FoundRunner {
  runner: Runner | undefined;
  /** The same, where it is elsewhere. */
  remote?: RemoteRunner;
  /** Why there is none although one is wanted. */
  reason?: string;
}

/** Finds the best way to run scripts here, by running one. */
export async function findRunner({
  wanted,
  remote,
}: Pick<RunnerSettings, 'wanted'> & Partial<Pick<RunnerSettings, 'remote'>>): Promise<FoundRunner> {
  if (wanted === 'off') {
    return { runner: undefined };
  }
  if (wanted === 'container') {
    return { runner: undefined, reason: 'containers are not there yet. Use bubblewrap or remote.' };
  }
  const here = wanted === 'remote' ? undefined : await tryBubblewrap();
  if (here?.runner || wanted === 'bubblewrap' || !remote) {
    return here ?? { runner: undefined };
  }
  const runner = createRemoteRunner(remote);
  // One that is away now is there later.
  await within(patienceMs, runner.look());
  return { runner, remote: runner };
}

const patienceMs = 1000;

/** Says what there is to run scripts with, and fails where the filter is not what it should be. */
const trial = `
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || exit 3
printf 'sh: %s\\n' "$(bash --version 2>/dev/null)"
command -v python3 >/dev/null && printf 'python: %s\\n' "$(python3 --version 2>&1)"
command -v node >/dev/null && printf 'node: %s\\n' "$(node --version)"
exit 0`;

async function tryBubblewrap(): Promise<FoundRunner> {
  const runner = createBubblewrapRunner({});
  try {
    const { exitCode, end, stdout, stderr } = await runner.run(
      {
        kind: 'sh',
        skill: { id: 'trial', files: [{ path: 'trial.sh', bytes: Buffer.from(trial) }] },
        script: 'trial.sh',
        args: [],
        limits: { seconds: 20 },
      },
      new AbortController().signal,
    );
    if (end !== 'exit' || exitCode !== 0) {
      return {
        runner: undefined,
        reason: `a trial ended with ${exitCode ?? end}: ${stderr.trim()}`,
      };
    }
    const found = createBubblewrapRunner(runtimesIn(stdout));
    return { runner: boundedRunner(found) };
  } catch (error) {
    return { runner: undefined, reason: messageOf(error) };
  }
}

function runtimesIn(text: string): Runtimes {
  const found: Partial<Record<ScriptKind, string>> = {};
  for (const [, kind, version = ''] of text.matchAll(/^(sh|python|node): [^\d\n]*([\d.]*)/gm)) {
    found[kind as ScriptKind] = version;
  }
  return found;
}

import { readdirSync, readFileSync } from 'node:fs';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { withTimeout } from '../../../platform/lib/with-timeout.ts';
import { boundedRun } from './bounded-run.ts';
import { createContainerRunner } from './container/container-runner.ts';
import { assertSafePath, getCommand } from './job-files.ts';
import { packTar, type TarEntry } from './pack-tar.ts';
import { createProbeJob, runtimesIn } from './probe-job.ts';
import { createRemoteRunner, type RemoteRunner } from './remote-runner.ts';
import { defaultRunLimits } from './run-limits.ts';
import { runSandbox } from './run-sandbox.ts';
import type { Runner } from './runner.ts';
import { type JobFile, RunnerFailure, type Runtimes, type ScriptJob } from './runner.ts';
import type { RunnerSettings } from './runner-settings.ts';
import { etcEntries, sandboxCommand } from './sandbox-command.ts';
import { seccompFilter } from './seccomp-filter.ts';

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

/** Runs scripts locally in a bubblewrap sandbox. */
function createBubblewrapRunner(runtimes: Runtimes): Runner {
  return {
    tier: 'bubblewrap',
    status: 'ready',
    runtimes,
    run: (job, signal) => {
      const limits = { ...defaultRunLimits, ...job.limits };
      const entries = entriesOf(job);
      const bytes = entries.reduce((sum, entry) => sum + pagedSize(entry.bytes?.length ?? 0), 0);
      const command = sandboxCommand({
        command: getCommand(job),
        limits,
        given: { bytes, files: entries.length * 2 },
        node: process.execPath,
      });
      const closed = inheritedDescriptors();
      return runSandbox({ command, input: packTar(entries), limits, closed }, signal);
    },
  };
}

const pageBytes = 4096;

/** Directories take memory as well. */
const pagedSize = (bytes: number) => (Math.ceil(bytes / pageBytes) + 1) * pageBytes;

/** The initial file system of a run. */
function entriesOf({ skill, files = [], stdin = '' }: ScriptJob): TarEntry[] {
  const filter = seccompFilter(process.arch);
  if (!filter) {
    throw new RunnerFailure(`There is no filter of system calls for "${process.arch}".`);
  }
  const folders = ['skill', 'in', 'work', 'work/in', 'tmp', 'shm', 'etc'];
  return [
    ...[...folders, ...etcEntries.folders.map((name) => `etc/${name}`)].map(folderEntry),
    ...etcEntries.files.map((name) => textEntry(`etc/${name}`, '')),
    textEntry('etc/passwd', 'nobody:x:65534:65534:nobody:/job:/bin/sh\n'),
    textEntry('etc/group', 'nogroup:x:65534:\n'),
    { path: 'out', kind: 'pipe' },
    { path: 'err', kind: 'pipe' },
    { path: 'seccomp', kind: 'file', bytes: filter },
    textEntry('stdin', stdin),
    ...skill.files.map((file) => fileEntry('skill', file)),
    ...files.map((file) => fileEntry('in', file)),
  ];
}

function folderEntry(path: string): TarEntry {
  return { path, kind: 'folder' };
}

function textEntry(path: string, content: string): TarEntry {
  return { path, kind: 'file', bytes: Buffer.from(content) };
}

function fileEntry(parent: string, file: JobFile): TarEntry {
  assertSafePath(file);
  return { ...file, path: `${parent}/${file.path}`, kind: 'file' };
}

const closedOnExec = 0o2000000;

/**
 * File descriptors from 3 that child processes would inherit, because this process was started with
 * them. Node opens its own with O_CLOEXEC.
 */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(info) ?? [];
    return (Number.parseInt(flags, 8) & closedOnExec) !== 0;
  } catch {
    // The descriptor of the directory listing itself.
    return true;
  }
}

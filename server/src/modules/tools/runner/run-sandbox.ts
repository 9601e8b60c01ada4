import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { createBoundedStream } from './bounded-stream.ts';
import { readWorkFolder } from './read-work-folder.ts';
import { floodBytes, outputLimits, type RunLimits } from './run-limits.ts';
import { type RunEnd, RunnerFailure, type ScriptResult } from './runner.ts';
import { searchPath } from './sandbox-command.ts';

interface SandboxRun {
  command: readonly string[];
  /** Input files as a tar archive. */
  input: Uint8Array;
  limits: RunLimits;
  /** File descriptors the sandbox must not inherit. */
  closed: readonly number[];
}

/** Descriptor for the report and the archive. */
const reportAt = 3;
/** Drop root first: a `/proc` mounted by root would allow changing kernel settings. */
const unprivileged = 65534;

/** Runs a sandbox command until all its processes have ended. */
export async function runSandbox(run: SandboxRun, signal: AbortSignal): Promise<ScriptResult> {
  const startedAt = performance.now();
  const { limits } = run;
  const child = start(run);
  const out = createBoundedStream(limits.streamBytes);
  const err = createBoundedStream(limits.streamBytes);
  const report = readReport();
  let end: RunEnd = 'exit';
  const kill = (why: RunEnd) => {
    end = end === 'exit' ? why : end;
    killTree(child);
  };
  const onAbort = () => kill('stopped');
  const timer = setTimeout(() => kill('time'), limits.seconds * 1000);
  const endWatch = watchTree(child.pid ?? 0, limits.memory, () => kill('memory'));
  const listen = (stream: Readable, take: (chunk: Buffer) => boolean) =>
    stream.on('error', ignore).on('data', (chunk: Buffer) => take(chunk) || kill('output'));
  const keep = (kept: typeof out) => (chunk: Buffer) => {
    kept.push(chunk);
    return kept.length <= floodBytes;
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const [, stdout, stderr, reported] = streamsOf(child);
    listen(stdout, keep(out));
    listen(stderr, keep(err));
    listen(reported, report.push);
    if (signal.aborted) {
      onAbort();
    }
    child.stdin?.on('error', ignore).end(run.input);
    await ended(child);
  } finally {
    clearTimeout(timer);
    endWatch();
    signal.removeEventListener('abort', onAbort);
    killTree(child);
  }
  const said = { stdout: out.text(), stderr: err.text(), ms: performance.now() - startedAt };
  if (end !== 'exit') {
    return { end, exitCode: null, ...said, files: [], leftOut: [] };
  }
  const outcome = outcomeOf(report.lines(), said.stderr);
  if (!report.isWhole()) {
    throw new RunnerFailure('The sandbox lost what the script left.');
  }
  return { end, ...outcome, ...said, ...report.files() };
}

function start({ command: [program = '', ...args], closed }: SandboxRun): ChildProcess {
  const nothing = closed.length > 0 ? openSync('/dev/null', 'r') : undefined;
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe', 'pipe'];
  for (const descriptor of closed) {
    if (descriptor > reportAt && nothing !== undefined) {
      stdio.push(...Array<'ignore'>(Math.max(0, descriptor - stdio.length)).fill('ignore'));
      stdio[descriptor] = nothing;
    }
  }
  try {
    return spawn(program, args, {
      // A process group, so that one signal kills everything.
      detached: true,
      stdio,
      env: { PATH: searchPath },
      cwd: '/',
      ...(process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}),
    });
  } finally {
    if (nothing !== undefined) {
      closeSync(nothing);
    }
  }
}

function streamsOf(child: ChildProcess): [unknown, Readable, Readable, Readable] {
  return child.stdio as unknown as [unknown, Readable, Readable, Readable];
}

function killTree({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? Number.NaN), 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new RunnerFailure(`A sandbox cannot be started: ${cause.message}`, { cause })),
    );
    child.on('close', () => resolve());
  });
}

function ignore(): void {}

/** Splits the output of the report descriptor into lines and an archive. */
function readReport() {
  const folder = readWorkFolder(outputLimits);
  const mark = '\nend\n';
  let head: Buffer | undefined = Buffer.from('\n');
  let lines = '';
  return {
    push: (chunk: Buffer): boolean => {
      if (!head) {
        return folder.push(chunk);
      }
      head = Buffer.concat([head, chunk]);
      const at = head.indexOf(mark);
      if (at < 0) {
        return head.length < 64 * 1024;
      }
      lines = head.toString('latin1', 0, at);
      const rest = head.subarray(at + mark.length);
      head = undefined;
      return folder.push(rest);
    },
    lines: () => lines,
    isWhole: folder.isWhole,
    files: () => folder.end(),
  };
}

/** @throws `RunnerFailure` if bubblewrap did not report an exit code */
function outcomeOf(lines: string, stderr: string): Pick<ScriptResult, 'exitCode' | 'signal'> {
  const code = /"exit-code": (\d+)/.exec(lines)?.[1];
  if (code === undefined) {
    throw new RunnerFailure(
      `A sandbox cannot be set up: ${stderr.trim().slice(0, 500) || 'no reason given'}`,
    );
  }
  const exitCode = Number(code);
  const signal = Object.entries(constants.signals).find(
    ([, number]) => number + 128 === exitCode,
  )?.[0];
  return { exitCode, ...(signal ? { signal } : {}) };
}

const pollMs = 50;

/**
 * Watches the total memory of a process tree: kernel limits only apply per process.
 *
 * @param pid the root process
 * @param maxBytes limit of the tree
 * @returns stops watching
 */
function watchTree(pid: number, maxBytes: number, onOver: () => void): () => void {
  const timer = setInterval(() => {
    const pids = treeOf(pid);
    // Pages shared after a fork should count once (PSS), which is more expensive to compute.
    if (sum(pids, ownMemory) > maxBytes && sum(pids, proportionalMemory) > maxBytes) {
      clearInterval(timer);
      onOver();
    }
  }, pollMs);
  return () => clearInterval(timer);
}

function sum(pids: readonly number[], memoryOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + memoryOf(pid), 0);
}

function treeOf(pid: number): number[] {
  const found = [pid];
  for (const each of found) {
    // Children are listed per thread.
    for (const thread of list(`/proc/${each}/task`)) {
      const children = read(`/proc/${each}/task/${thread}/children`);
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

function ownMemory(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  return kibibytes(status, /^RssAnon:\s*(\d+)/m) + kibibytes(status, /^RssShmem:\s*(\d+)/m);
}

function proportionalMemory(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  return rollup === '' ? ownMemory(pid) : kibibytes(rollup, /^Pss:\s*(\d+)/m);
}

function kibibytes(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0) * 1024;
}

/** Empty if the process has ended or is not accessible. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

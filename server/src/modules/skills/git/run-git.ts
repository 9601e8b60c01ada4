import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { inMebibytes } from '../archives/unpack-limits.ts';
import { gitProblem } from './git-problem.ts';
import { watchMemory } from './watch-memory.ts';

type Input = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A call of git. */
export interface GitCall {
  /** The repository's folder, which is the home directory as well. */
  directory: string;
  /** The server's environment, of which git gets what it needs to start. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Each `name=value`, passed by `-c`. */
  config?: readonly string[];
  /** Configuration with secrets, which must not be in the list of processes. */
  secretConfig?: Readonly<Record<string, string>>;
  args: readonly string[];
  /** Written to standard input. An error of an iterable stops git and rejects the call. */
  input?: Input | undefined;
  /** Receives standard output. Throwing stops git and rejects the call. */
  onOutput?: (chunk: Buffer) => void;
  /** Receives standard output at its own pace (backpressure), and is not ended. Destroyed if the signal aborts. */
  output?: Writable;
  /** The protocol that a git client asks for, such as `version=2`. */
  protocol?: string | undefined;
  /** Stops git if it needs more memory; see `watchMemory`. */
  maxMemoryBytes?: number;
  /** Stops git at once, with its child processes. */
  signal: AbortSignal;
}

/** Runs git in a repository. */
export type RunGit = (args: readonly string[], more?: Partial<GitCall>) => Promise<void>;

/** Git failed; the message is its own. */
export class GitFailed extends Error {
  /** The text on standard error, without control characters. */
  readonly text: string;

  constructor(text: string) {
    super(`git failed: ${text}`);
    this.text = text;
  }
}

const maxErrorBytes = 8192;

/**
 * Runs git without a shell, with a minimal environment: no configuration of the system or a user, no
 * prompts, and no protocol that the configuration does not name.
 *
 * @throws {GitFailed} if git fails
 * @throws a problem if it is not installed
 * @throws the reason of the signal
 */
export async function runGit(call: GitCall): Promise<void> {
  const { args, config = [], input = '', onOutput, output, signal } = call;
  signal.throwIfAborted();
  const options = ['protocol.allow=never', ...config].flatMap((each) => ['-c', each]);
  const child = spawn('git', [...options, ...args], {
    cwd: call.directory,
    env: environmentOf(call),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: git starts others, which have to end with it.
    detached: true,
  });
  let failure: unknown;
  const stop = (reason: unknown) => {
    failure ??= reason;
    killGroup(child);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const { maxMemoryBytes } = call;
  const stopWatching =
    maxMemoryBytes === undefined || child.pid === undefined
      ? ignore
      : watchMemory(child.pid, maxMemoryBytes, () => stop(tooMuchMemory(maxMemoryBytes)));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-maxErrorBytes);
  });
  const sent = output
    ? pipeline(child.stdout, output, { end: false, signal }).catch(stop)
    : undefined;
  if (!output) {
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        onOutput?.(chunk);
      } catch (error) {
        stop(error);
      }
    });
  }
  sendInput(child.stdin, input, stop);
  try {
    const code = await endOf(child);
    await sent;
    if (failure !== undefined) {
      throw failure;
    }
    if (code !== 0) {
      throw new GitFailed(errors.replace(/\p{Cc}+/gu, ' ').trim());
    }
  } finally {
    stopWatching();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Git may end before it has read everything. */
function sendInput(stdin: Writable, input: Input, onError: (error: unknown) => void): void {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    stdin.on('error', ignore);
    stdin.end(input);
    return;
  }
  pipeline(reportErrors(input, onError), stdin).catch(ignore);
}

async function* reportErrors(
  input: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncIterable<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    onError(error);
  }
}

function tooMuchMemory(maxBytes: number) {
  const text = `Reading the repository needs more than ${inMebibytes(maxBytes)} of memory. Name a smaller repository.`;
  return gitProblem('too-large', text);
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function endOf(child: Child): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const isMissing = errorCode(error) === 'ENOENT';
      reject(isMissing ? gitProblem('no-git', missing, error) : error);
    });
    child.once('close', resolve);
  });
}

const missing =
  'The server has no git. Install the package git, version 2.39 or newer, on the server.';

function killGroup({ pid }: Child): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // It has ended.
  }
}

/** Variables that name the places of programs, certificates and temporary files. */
const inherited = ['PATH', 'TMPDIR', 'SYSTEMROOT', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'];

/** In the repository's folder. */
export const sshConfigName = 'ssh-config';

/**
 * For glibc, in bytes. By default it returns memory to the system after each object that git compresses, which takes
 * 98% of the time of a build.
 */
const trimThreshold = String(64 * 1024 * 1024);

function environmentOf({
  directory,
  variables,
  secretConfig = {},
  protocol,
}: GitCall): NodeJS.ProcessEnv {
  const secrets = Object.entries(secretConfig);
  const given = secrets.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const own = inherited.flatMap((name) =>
    variables[name] === undefined ? [] : [[name, variables[name]]],
  );
  return {
    ...Object.fromEntries(own),
    HOME: directory,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(secrets.length),
    GIT_OPTIONAL_LOCKS: '0',
    // Git starts it in a shell, so that nothing but a constant may be in it.
    GIT_SSH_COMMAND: `ssh -F ${sshConfigName}`,
    GIT_SSH_VARIANT: 'ssh',
    MALLOC_TRIM_THRESHOLD_: trimThreshold,
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
    ...Object.fromEntries(given),
  };
}

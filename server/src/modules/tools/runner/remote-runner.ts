import type { z } from 'zod';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { JsonLimitExceeded, readBoundedJson } from '../../../platform/lib/json-meter.ts';
import {
  packFile,
  type RemoteState,
  refusalSchema,
  resultSchema,
  stateSchema,
} from './remote-wire.ts';
import { defaultRunLimits } from './run-limits.ts';
import {
  type JobFile,
  type Runner,
  RunnerFailure,
  type ScriptJob,
  type ScriptResult,
} from './runner.ts';
import { watchState } from './watch-state.ts';

/** A remote Knowhow runner, which caches copies of skills. */
export interface RemoteRunner extends Runner {
  /** Checks its state; undefined and `away` if it does not answer. Never throws. */
  look(): Promise<RemoteState | undefined>;
  /** Uploads the files of a skill. */
  copy(skill: CopiedSkill): Promise<void>;
  remove(id: string): Promise<void>;
  /** Called whenever it becomes available, including the first time. */
  onBack(listener: () => void): void;
  close(): void;
}

export interface CopiedSkill {
  id: string;
  /** Over all files. */
  checksum: string;
  files: readonly JobFile[];
}

interface Options {
  url: string;
  token: string;
}

const checkMs = 10_000;
const copyMs = 60_000;
/** Time allowed in addition to the script's own timeout. */
const overheadMs = 30_000;

/** Runs scripts on a remote runner and monitors it until closed. */
export function createRemoteRunner(address: Options): RemoteRunner {
  const watched = watchState(async () => {
    const signal = AbortSignal.timeout(checkMs);
    return stateSchema.parse(await callRemote(address, 'state', { method: 'GET', signal }));
  });
  const call = async (path: string, sent: Parameters<typeof callRemote>[2]) => {
    try {
      return await callRemote(address, path, sent);
    } catch (error) {
      if (error instanceof RemoteUnavailable) {
        watched.set(undefined);
      }
      throw error;
    }
  };
  const copy = async ({ id, checksum, files }: CopiedSkill) => {
    const body = JSON.stringify({ id, checksum, files: files.map(packFile) });
    await call('skills', { method: 'POST', body, signal: AbortSignal.timeout(copyMs) });
  };
  return {
    tier: 'remote',
    get status() {
      return watched.now() ? 'ready' : 'away';
    },
    get runtimes() {
      return watched.now()?.runtimes ?? {};
    },
    look: watched.check,
    onBack: watched.onAvailable,
    close: watched.close,
    copy,
    remove: async (id) => {
      const signal = AbortSignal.timeout(checkMs);
      await call(`skills/${encodeURIComponent(id)}`, { method: 'DELETE', signal });
    },
    run: async (job, signal) => {
      const startedAt = performance.now();
      const timeout = AbortSignal.timeout(
        (job.limits?.seconds ?? defaultRunLimits.seconds) * 1000 + overheadMs,
      );
      try {
        return await runRemotely(job, AbortSignal.any([signal, timeout]), { call, copy });
      } catch (error) {
        if (signal.aborted) {
          return { ...stopped, ms: performance.now() - startedAt };
        }
        throw timeout.aborted ? new RunnerFailure('The runner took too long.') : error;
      }
    },
  };
}

const stopped: Omit<ScriptResult, 'ms'> = {
  end: 'stopped',
  exitCode: null,
  stdout: '',
  stderr: '',
  files: [],
  leftOut: [],
};

interface Calls {
  call: (path: string, sent: Parameters<typeof callRemote>[2]) => Promise<unknown>;
  copy: (skill: CopiedSkill) => Promise<void>;
}

async function runRemotely(
  job: ScriptJob,
  signal: AbortSignal,
  { call, copy }: Calls,
): Promise<ScriptResult> {
  const files = job.skill.files.map((file) => ({ ...file, executable: file.executable ?? false }));
  const skill = { id: job.skill.id, checksum: await getFilesChecksum(files) };
  const body = JSON.stringify({ ...job, skill, files: job.files?.map(packFile) });
  const run = async (): Promise<ScriptResult> => {
    const { signal: name, ...result } = resultSchema.parse(
      await call('runs', { method: 'POST', body, signal }),
    );
    return { ...result, ...(name === undefined ? {} : { signal: name }) };
  };
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RemoteRefusal) || error.code !== 'no-copy') {
      throw error;
    }
    // The copy is missing or outdated: upload it again.
    await copy({ ...skill, files });
    return await run();
  }
}

/** A remote runner rejected a request. */
class RemoteRefusal extends RunnerFailure {
  readonly code: z.infer<typeof refusalSchema>['code'];

  constructor({ code, message }: z.infer<typeof refusalSchema>) {
    super(message);
    this.code = code;
  }
}

/** A remote runner is unreachable. */
class RemoteUnavailable extends RunnerFailure {}

/** A run returns up to 32 MiB of files, base64-encoded. */
const limits = {
  maxBytes: 48 * 1024 * 1024,
  maxDepth: 32,
  maxValues: 50_000,
  maxKeys: 1000,
  maxStringBytes: 16 * 1024 * 1024,
};

type Call = { method: 'GET' | 'POST' | 'DELETE'; body?: string; signal: AbortSignal };

/**
 * Sends a request to a remote runner and returns its JSON. Throws `RemoteRefusal`, `RemoteUnavailable`, or
 * the signal's reason.
 */
async function callRemote(
  { url, token }: { url: string; token: string },
  path: string,
  call: Call,
): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  // No redirects: they would leak the token.
  const sent = { ...call, headers, redirect: 'error' as const };
  const away = (cause: unknown) => {
    call.signal.throwIfAborted();
    throw new RemoteUnavailable('The runner cannot be reached.', { cause });
  };
  const response = await fetch(`${url}/v1/${path}`, sent).catch(away);
  const body = await readBoundedJson(response.body, limits).catch((error: unknown) => {
    if (error instanceof JsonLimitExceeded) {
      throw new RunnerFailure(`The runner sent more than ${error.message}.`, { cause: error });
    }
    return error instanceof SyntaxError ? undefined : away(error);
  });
  if (!response.ok) {
    const byDefault = { code: 'failed', message: `The runner answers with ${response.status}.` };
    throw new RemoteRefusal(refusalSchema.catch(byDefault as never).parse(body));
  }
  return body;
}

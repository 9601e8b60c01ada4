import type { z } from 'zod';
import { JsonLimitExceeded, readBoundedJson } from '../../../platform/lib/json-meter.ts';
import { refusalSchema } from './remote-wire.ts';
import { RunnerFailure } from './runner.ts';

/** A remote runner rejected a request. */
export class RemoteRefusal extends RunnerFailure {
  readonly code: z.infer<typeof refusalSchema>['code'];

  constructor({ code, message }: z.infer<typeof refusalSchema>) {
    super(message);
    this.code = code;
  }
}

/** A remote runner is unreachable. */
export class RemoteUnavailable extends RunnerFailure {}

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
export async function callRemote(
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

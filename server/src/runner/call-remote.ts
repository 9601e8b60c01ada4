import type { z } from 'zod';
import { JsonLimitExceeded, readBoundedJson } from '../lib/json-meter.ts';
import { refusalSchema } from './remote-wire.ts';
import { RunnerFailure } from './runner.ts';

/** What a runner elsewhere refuses, and why. */
export class RemoteRefusal extends RunnerFailure {
  readonly code: z.infer<typeof refusalSchema>['code'];

  constructor({ code, message }: z.infer<typeof refusalSchema>) {
    super(message);
    this.code = code;
  }
}

/** A runner elsewhere does not answer. */
export class RemoteAway extends RunnerFailure {}

/** A run gives up to 32 MiB of files, in base64. */
const limits = {
  maxBytes: 48 * 1024 * 1024,
  maxDepth: 32,
  maxValues: 50_000,
  maxKeys: 1000,
  maxStringBytes: 16 * 1024 * 1024,
};

type Call = { method: 'GET' | 'POST' | 'DELETE'; body?: string; signal: AbortSignal };

/**
 * Gives what a runner elsewhere answers, as it was sent. Throws `RemoteRefusal`, `RemoteAway`, or the reason
 * of the signal.
 */
export async function callRemote(
  { url, token }: { url: string; token: string },
  path: string,
  call: Call,
): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  // The token is for this address, not for where it may point.
  const sent = { ...call, headers, redirect: 'error' as const };
  const away = (cause: unknown) => {
    call.signal.throwIfAborted();
    throw new RemoteAway('The runner cannot be reached.', { cause });
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

import type { z } from 'zod';
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
  const text = await response.text().catch(away);
  const body = parseOrNone(text);
  if (!response.ok) {
    const byDefault = { code: 'failed', message: `The runner answers with ${response.status}.` };
    throw new RemoteRefusal(refusalSchema.catch(byDefault as never).parse(body));
  }
  return body;
}

function parseOrNone(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

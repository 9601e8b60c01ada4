import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { errorCode } from '../../lib/error-code.ts';
import { JsonLimitExceeded, readBoundedJson } from '../../lib/json-meter.ts';
import { RunnerFailure } from '../runner.ts';
import type { EngineAddress } from './container-settings.ts';

/** The engine does not answer, or not as one does. */
export class EngineAway extends RunnerFailure {}

/** What the engine refuses, and why. */
export class EngineRefusal extends RunnerFailure {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface EngineCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query. */
  path: string;
  /** Bytes are a tar archive, all else goes as JSON. */
  body?: object | Buffer;
  /** Ends the call: it rejects with the signal's reason. */
  signal: AbortSignal;
}

/** More than any answer that is read as a whole; one of them lists containers. */
const limits = {
  maxBytes: 8 * 1024 * 1024,
  maxDepth: 64,
  maxValues: 100_000,
  maxKeys: 10_000,
  maxStringBytes: 1024 * 1024,
};

/**
 * Calls Docker's Engine API, in the newest version that the engine has. Gives the JSON it answers, undefined
 * where that is none.
 *
 * @throws `EngineRefusal`, `EngineAway`
 */
export async function callEngine(address: EngineAddress, call: EngineCall): Promise<unknown> {
  return readJson(await openAnswer(address, call), call.signal);
}

/** The same for an answer that comes bit by bit. */
export async function openAnswer(
  address: EngineAddress,
  call: EngineCall,
): Promise<IncomingMessage> {
  const answer = await send(address, call);
  const { statusCode: status = 0 } = answer;
  if (status >= 400) {
    const reason = reasonIn(await readJson(answer, call.signal));
    throw new EngineRefusal(status, reason ?? `The container engine answers ${status}.`);
  }
  return answer;
}

function send(
  address: EngineAddress,
  { method, path, body, signal }: EngineCall,
): Promise<IncomingMessage> {
  const isArchive = Buffer.isBuffer(body);
  const bytes = isArchive || body === undefined ? body : Buffer.from(JSON.stringify(body));
  const options: RequestOptions = {
    ...address,
    ...{ method, path, signal, agent: false },
    headers: {
      Host: 'docker',
      'Content-Length': bytes?.length ?? 0,
      ...(bytes ? { 'Content-Type': isArchive ? 'application/x-tar' : 'application/json' } : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(awayOr(signal, cause));
    const asked = request(options, (answer) => {
      // Of whoever reads it: here it would end the process when nobody does any more.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    asked.on('error', fail).end(bytes);
  });
}

async function readJson(answer: IncomingMessage, signal: AbortSignal): Promise<unknown> {
  try {
    return await readBoundedJson(answer, limits);
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      return undefined;
    }
    if (cause instanceof JsonLimitExceeded) {
      throw new EngineAway(`The container engine sent more than ${cause.message}.`, { cause });
    }
    throw awayOr(signal, cause);
  }
}

/** What went wrong on the way: the reason of whoever ended the call, else the engine's fault. */
export function awayOr(signal: AbortSignal, cause: unknown): unknown {
  return signal.aborted
    ? signal.reason
    : new EngineAway(`The container engine cannot be reached (${errorCode(cause) ?? 'cut'}).`, {
        cause,
      });
}

function reasonIn(body: unknown): string | undefined {
  const isProblem = typeof body === 'object' && body !== null && 'message' in body;
  return isProblem && typeof body.message === 'string' ? body.message.slice(0, 500) : undefined;
}

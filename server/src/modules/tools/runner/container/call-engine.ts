import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { errorCode } from '../../../../platform/lib/error-code.ts';
import { JsonLimitExceeded, readBoundedJson } from '../../../../platform/lib/json-meter.ts';
import { RunnerFailure } from '../runner.ts';
import type { EngineAddress } from './container-settings.ts';

/** The container engine is unreachable or sends invalid responses. */
export class EngineUnavailable extends RunnerFailure {}

/** The container engine rejected a request. */
export class EngineRefusal extends RunnerFailure {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface EngineCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Including the query string. */
  path: string;
  /** A buffer is sent as a tar archive, anything else as JSON. */
  body?: object | Buffer;
  /** Aborts the call, which rejects with the signal's reason. */
  signal: AbortSignal;
}

/** Larger than any response read as a whole, including a list of containers. */
const limits = {
  maxBytes: 8 * 1024 * 1024,
  maxDepth: 64,
  maxValues: 100_000,
  maxKeys: 10_000,
  maxStringBytes: 1024 * 1024,
};

/**
 * Calls Docker's Engine API in the engine's newest version. Returns the response's JSON, or
 * undefined if it is not JSON.
 *
 * @throws `EngineRefusal`, `EngineUnavailable`
 */
export async function callEngine(address: EngineAddress, call: EngineCall): Promise<unknown> {
  return readJson(await openAnswer(address, call), call.signal);
}

/** Like `callEngine`, but returns the response as a stream. */
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
    method,
    path,
    signal,
    agent: false,
    headers: {
      Host: 'docker',
      'Content-Length': bytes?.length ?? 0,
      ...(bytes ? { 'Content-Type': isArchive ? 'application/x-tar' : 'application/json' } : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(toEngineError(signal, cause));
    const asked = request(options, (answer) => {
      // The reader handles errors. Without this listener, an error after reading would crash the
      // process.
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
      throw new EngineUnavailable(`The container engine sent more than ${cause.message}.`, {
        cause,
      });
    }
    throw toEngineError(signal, cause);
  }
}

/** The abort reason if the call was aborted, otherwise an engine failure. */
export function toEngineError(signal: AbortSignal, cause: unknown): unknown {
  return signal.aborted
    ? signal.reason
    : new EngineUnavailable(
        `The container engine cannot be reached (${errorCode(cause) ?? 'cut'}).`,
        {
          cause,
        },
      );
}

function reasonIn(body: unknown): string | undefined {
  const isProblem = typeof body === 'object' && body !== null && 'message' in body;
  return isProblem && typeof body.message === 'string' ? body.message.slice(0, 500) : undefined;
}

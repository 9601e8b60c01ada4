import type { IncomingMessage } from 'node:http';
import { createEventMeter } from '../../platform/lib/event-meter.ts';
import { getErrorMessage } from '../../platform/lib/get-error-message.ts';
import { LinkLocalAddress } from '../../platform/lib/outbound/refuse-link-local.ts';
import { postText } from '../../platform/lib/post-text.ts';
import { ModelFailure } from './model-failure.ts';

export interface ModelFetchOptions {
  /** Every request goes to this URL, regardless of the one that the vendor's client uses. */
  endpoint: string;
  /** Authentication headers, if any. */
  headers: Record<string, string>;
  /** Idle timeout in milliseconds. */
  silenceMs: number;
}

/** Maximum for the clients' own timeouts, in milliseconds, so that only the idle timeout here applies. */
export const maxTimeoutMs = 2 ** 31 - 1;

/** Maximum bytes of an error response that are read. */
const maxErrorBytes = 64 * 1024;

/** The clients copy the rest of a chunk for each event in it; small pieces keep that cheap. */
const pieceBytes = 2048;

const newline = 10;

/**
 * A `fetch` for the vendors' clients. It overrides URL and headers, because the clients would add headers from the
 * environment (ANTHROPIC_CUSTOM_HEADERS, OPENAI_ORG_ID) and details of this machine. Error statuses, redirects, idle
 * timeouts and bodies that are not a stream throw a `ModelFailure`.
 */
export function createModelFetch(options: ModelFetchOptions): typeof fetch {
  const headers = {
    ...options.headers,
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'knowhow',
  };
  const endpoint = new URL(options.endpoint);
  return async (_address, init) => {
    const idleTimeout = startIdleTimeout(options.silenceMs, init?.signal);
    try {
      const body = String(init?.body ?? '');
      const answer = await postText(endpoint, { headers, body, signal: idleTimeout.signal });
      await assertStream(answer);
      return streamedResponse(readPieces(answer, idleTimeout));
    } catch (error) {
      idleTimeout.end();
      throw toFailure(
        idleTimeout.signal.aborted ? idleTimeout.signal.reason : error,
        'unreachable',
      );
    }
  };
}

interface IdleTimeout {
  /** Aborted by the caller, or with a `ModelFailure` after the idle timeout. */
  signal: AbortSignal;
  listen(): void;
  /** Pauses the timeout until the next `listen`, because the reader of the answer may be slow. */
  heard(): void;
  end(): void;
}

function startIdleTimeout(silenceMs: number, caller: AbortSignal | null | undefined): IdleTimeout {
  const controller = new AbortController();
  const seconds = Math.ceil(silenceMs / 1000);
  let waitsFor: 'no-answer' | 'silent' | undefined = 'no-answer';
  const timer = setTimeout(() => {
    if (waitsFor) {
      controller.abort(new ModelFailure({ kind: waitsFor, seconds }));
    }
  }, silenceMs);
  const abort = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', abort, { once: true });
  if (caller?.aborted) {
    abort();
  }
  return {
    signal: controller.signal,
    listen() {
      waitsFor = 'silent';
      timer.refresh();
    },
    heard() {
      waitsFor = undefined;
    },
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}

async function assertStream(answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 0;
  const type = answer.headers['content-type'] ?? '';
  if (status < 200 || status > 299) {
    const headers = new Headers(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    );
    throw new ModelFailure({ kind: 'reported', status, headers, body: await readText(answer) });
  }
  if (status === 204 || /html|xml/.test(type)) {
    answer.destroy();
    throw new ModelFailure({ kind: 'garbage', detail: `${status} ${type}`.trim() });
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > maxErrorBytes) {
      break;
    }
  }
  return Buffer.concat(chunks).toString();
}

/**
 * A response whose body is read directly from `pieces`, without a web stream in between. The clients use `for await`
 * or a reader; a web stream would cost more than all their work.
 */
export function streamedResponse(pieces: AsyncGenerator<Uint8Array>): Response {
  const body = {
    [Symbol.asyncIterator]: () => pieces,
    getReader: () => ({
      read: () => pieces.next(),
      cancel: () => pieces.return(undefined),
      releaseLock: () => undefined,
    }),
    cancel: () => pieces.return(undefined),
  };
  return Object.defineProperty(new Response(null), 'body', { value: body });
}

async function* readPieces(
  answer: IncomingMessage,
  idleTimeout: IdleTimeout,
): AsyncGenerator<Uint8Array> {
  const check = checkStream();
  try {
    idleTimeout.listen();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      idleTimeout.heard();
      check(chunk);
      const end = chunk.lastIndexOf(newline) + 1;
      for (let from = 0; from < end; from += pieceBytes) {
        yield chunk.subarray(from, Math.min(from + pieceBytes, end));
      }
      if (end < chunk.length) {
        yield chunk.subarray(end);
      }
      idleTimeout.listen();
    }
  } catch (error) {
    throw toFailure(idleTimeout.signal.aborted ? idleTimeout.signal.reason : error, 'cut');
  } finally {
    idleTimeout.end();
  }
}

/** Classifies network errors here, where it is known whether the answer had started. */
function toFailure(error: unknown, kind: 'unreachable' | 'cut'): unknown {
  if (error instanceof LinkLocalAddress) {
    return new ModelFailure({ kind: 'forbidden' });
  }
  const known =
    error instanceof ModelFailure || (error instanceof Error && error.name === 'AbortError');
  return known ? error : new ModelFailure({ kind, error });
}

/**
 * Limits for a provider's event. No protocol nests this deep, and even an event with a whole answer has fewer values.
 */
const limits = {
  maxBytes: 4 * 1024 * 1024,
  maxDepth: 200,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 4 * 1024 * 1024,
};

/**
 * Checks the bytes of an SSE stream before a vendor's client parses them, whose time on malformed input is unbounded.
 * Throws a `ModelFailure` if an event exceeds a limit, or if the stream consists mostly of line ends.
 */
function checkStream(): (chunk: Buffer) => void {
  const measure = createEventMeter(limits);
  return (chunk) => {
    try {
      measure(chunk);
    } catch (error) {
      throw new ModelFailure({
        kind: 'garbage',
        detail: `It sent more than ${getErrorMessage(error)}.`,
      });
    }
  };
}

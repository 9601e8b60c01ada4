import type { IncomingMessage } from 'node:http';
import { LinkLocalAddress } from '../lib/outbound/refuse-link-local.ts';
import { postText } from '../lib/post-text.ts';
import { checkStream } from './check-stream.ts';
import { ModelFailure } from './model-failure.ts';

export interface ModelFetchOptions {
  /** The one address every request goes to, whatever address the vendor's client has in mind. */
  endpoint: string;
  /** What proves who we are, if anything does. */
  headers: Record<string, string>;
  /** Milliseconds without a byte after which the request is given up. */
  silenceMs: number;
}

/** For the clients' own timeouts, in milliseconds: silence is watched here. */
export const longestTimeout = 2 ** 31 - 1;

/** As much of an error is looked at: 64 KiB. */
const maxErrorBytes = 64 * 1024;

/** The clients copy what is left of a chunk once for each event in it; small pieces keep that cheap. */
const pieceBytes = 2048;

const newline = 10;

/**
 * A `fetch` for the vendors' clients. The address and the headers are ours alone: the clients would
 * add headers from the environment (ANTHROPIC_CUSTOM_HEADERS, OPENAI_ORG_ID) and details of this
 * machine. Error statuses, redirects, silence and bodies that are no stream throw a `ModelFailure`.
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
    const watch = startIdleTimeout(options.silenceMs, init?.signal);
    try {
      const body = String(init?.body ?? '');
      const answer = await postText(endpoint, { headers, body, signal: watch.signal });
      await refuseFailure(answer);
      return streamedResponse(readPieces(answer, watch));
    } catch (error) {
      watch.end();
      throw failureOf(watch.signal.aborted ? watch.signal.reason : error, 'unreachable');
    }
  };
}

interface SilenceWatch {
  /** Aborted by the caller, or with a `ModelFailure` when the provider was quiet for too long. */
  signal: AbortSignal;
  listen(): void;
  /** Until the next `listen` silence is ours: whoever reads the answer may be slow. */
  heard(): void;
  end(): void;
}

function startIdleTimeout(silenceMs: number, caller: AbortSignal | null | undefined): SilenceWatch {
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

async function refuseFailure(answer: IncomingMessage): Promise<void> {
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
 * A response whose body is read from `pieces` without a web stream between: the clients read it by
 * `for await` or by a reader, and a stream's own work would cost more than all of theirs.
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
  watch: SilenceWatch,
): AsyncGenerator<Uint8Array> {
  const check = checkStream();
  try {
    watch.listen();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      watch.heard();
      check(chunk);
      const end = chunk.lastIndexOf(newline) + 1;
      for (let from = 0; from < end; from += pieceBytes) {
        yield chunk.subarray(from, Math.min(from + pieceBytes, end));
      }
      if (end < chunk.length) {
        yield chunk.subarray(end);
      }
      watch.listen();
    }
  } catch (error) {
    throw failureOf(watch.signal.aborted ? watch.signal.reason : error, 'cut');
  } finally {
    watch.end();
  }
}

/** Errors of the network get their kind here, where it is known how far the answer had come. */
function failureOf(error: unknown, kind: 'unreachable' | 'cut'): unknown {
  if (error instanceof LinkLocalAddress) {
    return new ModelFailure({ kind: 'forbidden' });
  }
  const known =
    error instanceof ModelFailure || (error instanceof Error && error.name === 'AbortError');
  return known ? error : new ModelFailure({ kind, error });
}

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

/** An event longer than this is no part of a chat: 4 MiB. */
const maxEventBytes = 4 * 1024 * 1024;

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
  return async (_address, init) => {
    const watch = watchSilence(options.silenceMs, init?.signal);
    try {
      const response = await fetch(options.endpoint, {
        method: 'POST',
        body: init?.body,
        headers,
        // A key must not travel on to wherever an answer points.
        redirect: 'manual',
        signal: watch.signal,
      });
      const body = await streamOf(response);
      return new Response(ReadableStream.from(readPieces(body, watch)));
    } catch (error) {
      watch.end();
      throw told(error, 'unreachable');
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

function watchSilence(silenceMs: number, caller: AbortSignal | null | undefined): SilenceWatch {
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

async function streamOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  const { status, headers, body } = response;
  if (!response.ok) {
    throw new ModelFailure({ kind: 'reported', status, headers, body: await response.text() });
  }
  if (body === null || /html|json|xml/.test(headers.get('content-type') ?? '')) {
    await body?.cancel();
    throw new ModelFailure({ kind: 'garbage' });
  }
  return body;
}

async function* readPieces(body: ReadableStream<Uint8Array>, watch: SilenceWatch) {
  let eventBytes = 0;
  try {
    watch.listen();
    for await (const chunk of body) {
      watch.heard();
      const end = chunk.lastIndexOf(newline) + 1;
      eventBytes = end > 0 ? chunk.length - end : eventBytes + chunk.length;
      if (eventBytes > maxEventBytes) {
        throw new ModelFailure({ kind: 'garbage' });
      }
      for (let from = 0; from < end; from += pieceBytes) {
        yield chunk.subarray(from, Math.min(from + pieceBytes, end));
      }
      if (end < chunk.length) {
        yield chunk.subarray(end);
      }
      watch.listen();
    }
  } catch (error) {
    throw told(error, 'cut');
  } finally {
    watch.end();
  }
}

/** Errors of the network get their kind here, where it is known how far the answer had come. */
function told(error: unknown, kind: 'unreachable' | 'cut'): unknown {
  const known =
    error instanceof ModelFailure || (error instanceof Error && error.name === 'AbortError');
  return known ? error : new ModelFailure({ kind, error });
}

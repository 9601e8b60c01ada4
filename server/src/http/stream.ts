import { once } from 'node:events';
import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import type { Response, Router } from 'express';
import type { z } from 'zod';
import { type Call, parseCall, register } from './route.ts';

interface Streaming {
  /** Aborted when the client goes away. */
  signal: AbortSignal;
}

type Handler<E extends StreamEndpoint> = (
  call: Call<E>,
  streaming: Streaming,
) => Promise<AsyncIterable<z.input<E['event']>>>;

const heartbeatMs = 15_000;
/** How much may wait for a slow reader before the sender waits too, in characters. */
const maxPending = 64 * 1024;
/** A reader who takes nothing for so long counts as gone. */
const stalledMs = 60_000;

/**
 * Registers the one handler of a contract that is answered with server-sent events. What it throws
 * before the first event is an ordinary problem. The handler's events are drawn to their end also
 * when the client is gone, so that it can store what it has.
 */
export function stream<E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  handle: Handler<E>,
): void {
  register(router, endpoint, async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) {
        gone.abort();
      }
    });
    const events = await handle(parseCall(endpoint, request, response), { signal: gone.signal });
    await sendEvents(response, events, gone.signal);
  });
}

async function sendEvents(
  response: Response,
  events: AsyncIterable<unknown>,
  gone: AbortSignal,
): Promise<void> {
  let sender: Sender | undefined;
  try {
    for await (const event of events) {
      sender ??= openSender(response, gone);
      await sender.send(event);
    }
  } finally {
    sender?.close();
  }
  response.end();
}

interface Sender {
  /** Waits only for a reader that is far behind. */
  send(event: unknown): Promise<void> | undefined;
  close(): void;
}

/** Events that come in one go of the event loop leave in one write. */
function openSender(response: Response, gone: AbortSignal): Sender {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  let count = 0;
  let pending = '';
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (pending !== '' && !gone.aborted) {
      response.write(pending);
    }
    pending = '';
  };
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) {
      response.write(': still here\n\n');
    }
  }, heartbeatMs);
  return {
    send: (event) => {
      count += 1;
      pending += frame(count, event);
      if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
      const behind = pending.length + response.writableLength > maxPending;
      return behind && !gone.aborted ? drained(response, gone, flush) : undefined;
    },
    close: () => {
      clearInterval(heartbeat);
      flush();
    },
  };
}

async function drained(response: Response, gone: AbortSignal, flush: () => void): Promise<void> {
  flush();
  if (response.writableNeedDrain) {
    const stalled = setTimeout(() => response.destroy(), stalledMs);
    await once(response, 'drain', { signal: gone }).catch(() => undefined);
    clearTimeout(stalled);
  }
}

/** `type` is the event's name; the rest is its data. */
function frame(id: number, event: unknown): string {
  const { type, ...data } = event as { type: string };
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { type Input, type RequestOptions, send } from './request.ts';
import { Unreachable } from './unreachable.ts';

/** An event with its sequence number from the server. */
export interface NumberedEvent<Event> {
  number: number;
  event: Event;
}

/** The server sends a heartbeat every 15 s. */
const longestSilence = 40_000;
/**
 * After a network change, the old connection may stay silent. A server on this machine can be reconnected at
 * once.
 */
const networkChanges = ['online', 'offline'];

/**
 * Calls an endpoint and yields its parsed events as they arrive. Yields none, and does not call `onOpen`, if
 * there is nothing to follow. Ignores unknown event types. Throws a `Problem` before the first event, and
 * `Unreachable` if the connection breaks or may be dead: no data for too long, or the network has changed.
 */
export async function* stream<E extends StreamEndpoint>(
  endpoint: E,
  input: Input<E>,
  { onOpen, ...options }: RequestOptions & { onOpen?: () => void } = {},
): AsyncGenerator<NumberedEvent<z.output<E['event']>>> {
  const response = await send(endpoint, input, options);
  if (response.status !== 204) {
    onOpen?.();
  }
  const arrived: { number: number; raw: unknown }[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      arrived.push({ number: Number(id), raw: { ...JSON.parse(data), type: event } }),
  });
  for await (const text of readText(response, options.signal)) {
    parser.feed(text);
    for (const { number, raw } of arrived.splice(0)) {
      const parsed = endpoint.event.safeParse(raw);
      if (parsed.success) {
        yield { number, event: parsed.data as z.output<E['event']> };
      }
    }
  }
}

async function* readText(response: Response, signal: AbortSignal | undefined) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let isGivenUp = false;
  const giveUp = () => {
    isGivenUp = true;
    reader?.cancel().catch(() => undefined);
  };
  let silence = setTimeout(giveUp, longestSilence);
  for (const change of networkChanges) {
    window.addEventListener(change, giveUp);
  }
  try {
    for (;;) {
      const piece = await reader?.read();
      if (isGivenUp) {
        throw new Unreachable();
      }
      if (!piece || piece.done) {
        return;
      }
      clearTimeout(silence);
      silence = setTimeout(giveUp, longestSilence);
      yield decoder.decode(piece.value, { stream: true });
    }
  } catch (error) {
    throw signal?.aborted ? error : new Unreachable(error);
  } finally {
    clearTimeout(silence);
    for (const change of networkChanges) {
      window.removeEventListener(change, giveUp);
    }
    reader?.cancel().catch(() => undefined);
  }
}

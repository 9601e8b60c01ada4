import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { type Input, type RequestOptions, send } from './request.ts';
import { Unreachable } from './unreachable.ts';

/** An event, and the number the server has given it. */
export interface Numbered<Event> {
  number: number;
  event: Event;
}

/** The server sends something each 15 s. */
const longestSilence = 40_000;
/** A connection of before may never say that it is dead. To a server on this machine another one is there at once. */
const networkChanges = ['online', 'offline'];

/**
 * Calls an endpoint and yields its events, parsed, as they come; none, and no `onOpen`, when there is nothing
 * to follow. Events of a type this client does not know are left out. Throws a `Problem` before the first event, and
 * `Unreachable` when the connection breaks, or may be dead: nothing comes for long, or the network is another.
 */
export async function* stream<E extends StreamEndpoint>(
  endpoint: E,
  input: Input<E>,
  { onOpen, ...options }: RequestOptions & { onOpen?: () => void } = {},
): AsyncGenerator<Numbered<z.output<E['event']>>> {
  const response = await send(endpoint, input, options);
  if (response.status !== 204) {
    onOpen?.();
  }
  const arrived: { number: number; raw: unknown }[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      arrived.push({ number: Number(id), raw: { ...JSON.parse(data), type: event } }),
  });
  for await (const text of textOf(response, options.signal)) {
    parser.feed(text);
    for (const { number, raw } of arrived.splice(0)) {
      const parsed = endpoint.event.safeParse(raw);
      if (parsed.success) {
        yield { number, event: parsed.data as z.output<E['event']> };
      }
    }
  }
}

async function* textOf(response: Response, signal: AbortSignal | undefined) {
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

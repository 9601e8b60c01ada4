import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { type Input, type RequestOptions, send } from './request.ts';
import { Unreachable } from './unreachable.ts';

/**
 * Calls an endpoint and yields its events, parsed, as they come. Events of a type this client does
 * not know are left out. Throws a `Problem` before the first event, and `Unreachable` when the
 * connection breaks.
 */
export async function* stream<E extends StreamEndpoint>(
  endpoint: E,
  input: Input<E>,
  options: RequestOptions = {},
): AsyncGenerator<z.output<E['event']>> {
  const response = await send(endpoint, input, options);
  const arrived: unknown[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => arrived.push({ ...JSON.parse(data), type: event }),
  });
  for await (const text of textOf(response, options.signal)) {
    parser.feed(text);
    for (const raw of arrived.splice(0)) {
      const parsed = endpoint.event.safeParse(raw);
      if (parsed.success) {
        yield parsed.data as z.output<E['event']>;
      }
    }
  }
}

async function* textOf(response: Response, signal: AbortSignal | undefined) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) {
        return;
      }
      yield decoder.decode(piece.value, { stream: true });
    }
  } catch (error) {
    throw signal?.aborted ? error : new Unreachable(error);
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}

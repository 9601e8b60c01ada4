import { isRecord } from '@knowhow/shared/is-record';
import { createParser } from 'eventsource-parser';
import { ModelFailure } from './model-failure.ts';

/** Lines that are none of the protocol: each is reported at some cost, and many are no answer. */
const maxFaults = 1000;

/**
 * The data of server-sent events, together as they arrived together: what follows is then paid for
 * once a read and not once a token. JSON throws a `SyntaxError` where it is none; an error reported
 * in the stream throws a `ModelFailure`.
 *
 * What comes after `[DONE]` is read and dropped, so that the connection serves again.
 */
export async function* readSse<Data>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Data[]> {
  const decoder = new TextDecoder();
  let batch: Data[] = [];
  let done = false;
  let faults = 0;
  const parser = createParser({
    onError: () => {
      faults += 1;
      if (faults > maxFaults) {
        throw new ModelFailure({ kind: 'garbage' });
      }
    },
    onEvent: ({ event, data }) => {
      done ||= data.startsWith('[DONE]');
      if (!done) {
        batch.push(parse(event, data));
      }
    },
  });
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (batch.length > 0) {
      const arrived = batch;
      batch = [];
      yield arrived;
    }
  }
}

function parse<Data>(event: string | undefined, data: string): Data {
  const value: unknown = JSON.parse(data);
  const reported = isRecord(value) ? value.error : undefined;
  if (reported || event === 'error') {
    const code = isRecord(reported) ? reported.code : undefined;
    throw new ModelFailure({
      kind: 'reported',
      ...(typeof code === 'number' ? { status: code } : {}),
      body: JSON.stringify(reported ?? value),
    });
  }
  // Its shape is the protocol's; who reads it expects any field to be missing.
  return value as Data;
}

import { createEventMeter } from '../lib/event-meter.ts';
import { messageOf } from '../lib/message-of.ts';
import { ModelFailure } from './model-failure.ts';

/** An event of a provider. No protocol nests so deep, and an event that holds a whole answer has fewer values. */
const limits = {
  maxBytes: 4 * 1024 * 1024,
  maxDepth: 200,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 4 * 1024 * 1024,
};

/**
 * Looks at the bytes of a stream of events before a vendor's client does, whose time for what is no
 * answer has no bound. Throws a `ModelFailure` when an event exceeds a limit, or the stream is line ends
 * for the most part.
 */
export function checkStream(): (chunk: Buffer) => void {
  const measure = createEventMeter(limits);
  return (chunk) => {
    try {
      measure(chunk);
    } catch (error) {
      throw new ModelFailure({ kind: 'garbage', detail: `It sent more than ${messageOf(error)}.` });
    }
  };
}

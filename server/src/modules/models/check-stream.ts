import { createEventMeter } from '../../platform/lib/event-meter.ts';
import { getErrorMessage } from '../../platform/lib/get-error-message.ts';
import { ModelFailure } from './model-failure.ts';

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
export function checkStream(): (chunk: Buffer) => void {
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

import type { StreamAnswer } from './guard-answer.ts';
import type { ModelRequest } from './model.ts';

/**
 * Asks without the schema of the answer once a provider has refused a request with one, and answers it without:
 * not every model and server takes one. Remembered as long as the client is kept.
 *
 * @param isRefusal whether an error may mean that the request is one which the provider does not take
 */
export function fallbackWithoutUnsupportedOptions(
  stream: StreamAnswer,
  isRefusal: (error: unknown) => boolean,
): StreamAnswer {
  let isRefused = false;
  async function* withSchema(request: ModelRequest, signal: AbortSignal) {
    let spoke = false;
    try {
      for await (const event of stream(request, signal)) {
        spoke ||= event.type !== 'retry';
        yield event;
      }
      return;
    } catch (error) {
      if (spoke || signal.aborted || !isRefusal(error)) {
        throw error;
      }
    }
    yield* stream(plain(request), signal);
    isRefused = true;
  }
  // Nothing stands between the events of nearly all requests and their reader.
  return (request, signal) =>
    request.answerSchema && !isRefused
      ? withSchema(request, signal)
      : stream(plain(request), signal);
}

function plain({ answerSchema: _, ...request }: ModelRequest): ModelRequest {
  return request;
}

import type { StreamAnswer } from './guard-answer.ts';
import type { ModelRequest } from './model.ts';

/**
 * Retries without the answer schema if a provider rejects a request with one, because not every model supports it.
 * Once that succeeds, the schema is omitted for the lifetime of the client.
 *
 * @param isRefusal whether an error may mean that the request is unsupported
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
    yield* stream(withoutSchema(request), signal);
    isRefused = true;
  }
  // Requests without a schema bypass the wrapper, for performance.
  return (request, signal) =>
    request.answerSchema && !isRefused
      ? withSchema(request, signal)
      : stream(withoutSchema(request), signal);
}

function withoutSchema({ answerSchema: _, ...request }: ModelRequest): ModelRequest {
  return request;
}

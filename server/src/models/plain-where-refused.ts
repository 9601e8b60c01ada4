import type { StreamAnswer } from './guard-answer.ts';

/**
 * Asks without the schema of the answer once a provider has refused a request with one, and answers it without:
 * not every model and server takes one. Remembered as long as the client is kept.
 *
 * @param isRefusal whether an error may mean that the request is one which the provider does not take
 */
export function plainWhereRefused(
  stream: StreamAnswer,
  isRefusal: (error: unknown) => boolean,
): StreamAnswer {
  let isRefused = false;
  return async function* answer(request, signal) {
    const { answerSchema, ...plain } = request;
    if (!answerSchema || isRefused) {
      yield* stream(plain, signal);
      return;
    }
    let spoke = false;
    try {
      for await (const event of stream(request, signal)) {
        spoke = true;
        yield event;
      }
      return;
    } catch (error) {
      if (spoke || signal.aborted || !isRefusal(error)) {
        throw error;
      }
    }
    yield* stream(plain, signal);
    isRefused = true;
  };
}

import { isRecord } from '@knowhow/shared/is-record';
/** How a request to a provider failed, before it is reported to users. */
export type Failure =
  /**
   * The provider reported an error: as a status, or inside its stream (then without headers and often without a
   * status). `body` is the response; it must never be shown.
   */
  | { kind: 'reported'; status?: number; headers?: Headers; body: string }
  /** The connection failed. */
  | { kind: 'unreachable'; error: unknown }
  /** Requests to its address are not allowed (SSRF protection). */
  | { kind: 'forbidden' }
  /** Timeout: no response within `seconds`. */
  | { kind: 'no-answer'; seconds: number }
  /** Idle timeout: the stream sent nothing for `seconds`. */
  | { kind: 'silent'; seconds: number }
  /** The stream ended before the answer did. */
  | { kind: 'cut'; error?: unknown }
  /**
   * The response does not follow the protocol. `detail` describes it: status and content type, or the limit exceeded.
   */
  | { kind: 'garbage'; detail?: string }
  /** The stream ended normally without any candidate or reason. */
  | { kind: 'no-candidate' }
  /** The model or its provider refused to answer. */
  | { kind: 'refused' }
  /** Any other error. */
  | { kind: 'unknown' };

/**
 * Carries a `Failure` through the vendors' clients, which wrap errors of their `fetch` as `cause`. Its message must
 * not contain words such as "timeout", because the clients then throw an error without a cause.
 */
export class ModelFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The provider failed: ${failure.kind}`);
    this.name = 'ModelFailure';
    this.failure = failure;
  }
}

/** Extracts the failure from an error of our `fetch` or of a vendor's client, following its causes. */
export function getFailure(error: unknown): Failure {
  for (let each = error; each instanceof Error; each = each.cause) {
    const failure = readError(each);
    if (failure) {
      return failure;
    }
  }
  return { kind: 'unknown' };
}

function readError(error: Error): Failure | undefined {
  if (error instanceof ModelFailure) {
    return error.failure;
  }
  if (error instanceof SyntaxError) {
    return { kind: 'garbage' };
  }
  return reportedInStream(error);
}

/** The clients' error for an SSE error event: OpenAI and Anthropic store it in `error`, Google as text. */
function reportedInStream(error: Error): Failure | undefined {
  const { status, error: reported } = error as { status?: unknown; error?: unknown };
  if (reported === undefined && typeof status !== 'number') {
    return undefined;
  }
  const code = isRecord(reported) ? reported.code : undefined;
  return {
    kind: 'reported',
    status: [status, code].find((value) => typeof value === 'number'),
    body: reported === undefined ? error.message : JSON.stringify(reported),
  };
}

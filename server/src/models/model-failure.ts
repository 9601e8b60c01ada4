import { isRecord } from '@knowhow/shared/is-record';
/** What went wrong between us and a provider, before it is reported to anyone. */
export type Failure =
  /**
   * The provider reported an error: as a status, or inside its stream (then without headers, and
   * often without a status). `body` is what it said; it is never to be shown.
   */
  | { kind: 'reported'; status?: number; headers?: Headers; body: string }
  /** No connection. */
  | { kind: 'unreachable'; error: unknown }
  /** Its address is one at which no model is asked. */
  | { kind: 'forbidden' }
  /** No answer came within `seconds`. */
  | { kind: 'no-answer'; seconds: number }
  /** The stream said nothing for `seconds`. */
  | { kind: 'silent'; seconds: number }
  /** The stream ended before the answer did. */
  | { kind: 'cut'; error?: unknown }
  /** Something came, but not the provider's protocol. `detail` says what: its status and type, or a limit. */
  | { kind: 'garbage'; detail?: string }
  /** The stream of a whole answer held none: no candidate, no reason. */
  | { kind: 'no-candidate' }
  /** The model or its provider would not answer. */
  | { kind: 'refused' }
  /** Anything else. */
  | { kind: 'unknown' };

/**
 * Carries a `Failure` through the vendors' clients, which wrap what their `fetch` throws as `cause`.
 * It has no `cause` and no word such as "timeout" of its own: the clients look for such words and
 * then throw an error without any cause.
 */
export class ModelFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The provider failed: ${failure.kind}`);
    this.name = 'ModelFailure';
    this.failure = failure;
  }
}

/** What an error of our `fetch` or of a vendor's client says, found along its chain of causes. */
export function failureOf(error: unknown): Failure {
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

/** The clients' error for an error event: OpenAI and Anthropic keep it in `error`, Google as text. */
function reportedInStream(error: Error): Failure | undefined {
  const { status, error: said } = error as { status?: unknown; error?: unknown };
  if (said === undefined && typeof status !== 'number') {
    return undefined;
  }
  const code = isRecord(said) ? said.code : undefined;
  return {
    kind: 'reported',
    status: [status, code].find((value) => typeof value === 'number'),
    body: said === undefined ? error.message : JSON.stringify(said),
  };
}

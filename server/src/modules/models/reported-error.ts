import { isRecord } from '@knowhow/shared/is-record';
import { ModelFailure } from './model-failure.ts';

/** Answer fields of all protocols: a value with one of them is an answer, unless it has an `error`. */
const answerFields = [
  ...['choices', 'candidates', 'promptFeedback', 'usageMetadata', 'usage'],
  ...['delta', 'message_start', 'content', 'content_block', 'response', 'output', 'item', 'type'],
];

/**
 * The error that a stream value, or a whole body, reports. Servers use many forms: `{error}`, `{object: "error"}`,
 * `{type: "error"}`, `{code, msg}`, `{errors}`, `{detail}`, `{base_resp}`.
 *
 * @param event name of the server-sent event, if it has one
 */
export function findReportedError(value: unknown, event?: string): ModelFailure | undefined {
  if (!isRecord(value)) {
    return event === 'error' ? toFailure(value) : undefined;
  }
  if (event === 'error' || value.object === 'error' || value.type === 'error') {
    return toFailure(value);
  }
  if (value.error) {
    return toFailure(value);
  }
  return !answerFields.some((field) => field in value) && hasErrorFields(value)
    ? toFailure(value)
    : undefined;
}

function hasErrorFields(value: Record<string, unknown>): boolean {
  const { base_resp: base } = value;
  return (
    ['msg', 'detail', 'errors', 'error_msg', 'error_message', 'errorMsg'].some((field) =>
      Boolean(value[field]),
    ) ||
    typeof value.message === 'string' ||
    (isRecord(base) && Boolean(base.status_code))
  );
}

function toFailure(value: unknown): ModelFailure {
  const status = findStatus(value);
  return new ModelFailure({
    kind: 'reported',
    ...(status === undefined ? {} : { status }),
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
}

/** An HTTP status among an error's codes; other codes are vendor-specific. */
function findStatus(value: unknown): number | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { error } = value;
  const codes = [...(isRecord(error) ? [error.code, error.status] : []), value.code, value.status];
  return codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
}

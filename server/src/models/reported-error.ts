import { isRecord } from '@knowhow/shared/is-record';
import { ModelFailure } from './model-failure.ts';

/** Fields of an answer, of any wire: a value with one of them is an answer, unless it has an `error`. */
const answerFields = [
  ...['choices', 'candidates', 'promptFeedback', 'usageMetadata', 'usage'],
  ...['delta', 'message_start', 'content', 'content_block', 'response', 'output', 'item', 'type'],
];

/**
 * The error that a value of a stream, or the whole body of an answer, reports. Servers use many forms:
 * `{error}`, `{object: "error"}`, `{type: "error"}`, `{code, msg}`, `{errors}`, `{detail}`, `{base_resp}`.
 *
 * @param event the name of the server-sent event, if it has one
 */
export function findReportedError(value: unknown, event?: string): ModelFailure | undefined {
  if (!isRecord(value)) {
    return event === 'error' ? reported(value) : undefined;
  }
  if (event === 'error' || value.object === 'error' || value.type === 'error') {
    return reported(value);
  }
  if (value.error) {
    return reported(value);
  }
  return !answerFields.some((field) => field in value) && hasErrorFields(value)
    ? reported(value)
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

function reported(value: unknown): ModelFailure {
  const status = findStatus(value);
  return new ModelFailure({
    kind: 'reported',
    ...(status === undefined ? {} : { status }),
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
}

/** An HTTP status among the codes of an error; other codes are the vendor's own. */
function findStatus(value: unknown): number | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { error } = value;
  const codes = [...(isRecord(error) ? [error.code, error.status] : []), value.code, value.status];
  return codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
}

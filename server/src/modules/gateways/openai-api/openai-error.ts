import type { Problem } from '@knowhow/shared/problem';

/** The error format of the OpenAI API. */
export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

export function toOpenAiError({ code, status, message, issues }: Problem): OpenAiError {
  const [issue] = issues ?? [];
  return {
    error: {
      message,
      type: types.find(([from]) => status >= from)?.[1] ?? 'server_error',
      param: issue?.path || null,
      code: codes.get(code) ?? code.replaceAll('-', '_'),
    },
  };
}

/** Error types by minimum status, highest first. */
const types: readonly [from: number, type: string][] = [
  [500, 'server_error'],
  [430, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [404, 'invalid_request_error'],
  [403, 'permission_error'],
  [401, 'authentication_error'],
  [400, 'invalid_request_error'],
];

/** Codes that OpenAI clients check for. */
const codes: ReadonlyMap<string, string> = new Map([
  ['not-signed-in', 'invalid_api_key'],
  ['model-context-full', 'context_length_exceeded'],
  ['too-many-requests', 'rate_limit_exceeded'],
  ['quota-used-up', 'insufficient_quota'],
]);

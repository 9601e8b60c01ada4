import { type Problem, problem } from '@knowhow/shared/problem';

export const invalidCursorMessage = 'The cursor is invalid. Start again without it.';

/** The problem of a cursor that a list did not return. */
export function invalidCursor(): Problem {
  return problem('invalid-request', invalidCursorMessage, {
    issues: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
  });
}

import { type Problem, problem } from '@knowhow/shared/problem';

export const invalidCursorMessage = 'The cursor is invalid. Start again without it.';

/** The problem of a cursor that a list did not return. */
export function invalidCursor(): Problem {
  return problem('invalid-request', invalidCursorMessage, {
    issues: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
  });
}

/** A cursor that is a number in decimal digits; undefined without one. Throws `invalidCursor`. */
export function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  const value = Number(cursor);
  if (!/^\d+$/.test(cursor) || !Number.isSafeInteger(value)) {
    throw invalidCursor();
  }
  return value;
}

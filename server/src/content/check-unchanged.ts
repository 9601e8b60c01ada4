import { problem } from '@knowhow/shared/problem';

/** What is expected where there must be nothing yet. */
export const nothingYet = 'nothing yet';

/**
 * Throws `changed-meanwhile` unless a thing still is what the caller saw of it.
 *
 * @param expected the checksum from `If-Match`; nothing is checked without one
 * @param actual the checksum now; undefined when the thing is gone
 */
export function checkUnchanged(expected: string | undefined, actual: string | undefined): void {
  if (expected === undefined || expected === (actual ?? nothingYet)) {
    return;
  }
  if (expected === nothingYet) {
    throw problem('name-taken', 'There is one with this id already. Choose another id.');
  }
  throw problem(
    'changed-meanwhile',
    actual === undefined
      ? 'Someone has deleted this meanwhile. Save it without If-Match to bring it back.'
      : 'Someone has changed this meanwhile. Load it again, then repeat your change.',
  );
}

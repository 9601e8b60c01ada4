import { problem } from '@knowhow/shared/problem';

/** Expected checksum for something that must not exist yet. */
export const nothingYet = 'nothing yet';

/**
 * Optimistic locking: throws `changed-meanwhile` if something has changed since the caller read it.
 *
 * @param expected the checksum from `If-Match`; without one, nothing is checked
 * @param actual the current checksum; undefined if it has been deleted
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

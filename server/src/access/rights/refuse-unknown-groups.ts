import { problem } from '@knowhow/shared/problem';
import type { Contents } from '../../content/contents.ts';

/** Throws `invalid-request` with the first that there is not. */
export function refuseUnknownGroups(ids: readonly string[], { groups }: Contents): void {
  const unknown = ids.find((id) => !groups.has(id));
  if (unknown !== undefined) {
    throw problem('invalid-request', `There is no group "${unknown}".`);
  }
}

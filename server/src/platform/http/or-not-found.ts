import { problem } from '@knowhow/shared/problem';

/** Returns the value if there is one. Throws `not-found` for undefined and false. @param kind such as "conversation" */
export function orNotFound<Found>(found: Found | false | undefined, kind: string): Found {
  if (found === undefined || found === false) {
    throw problem('not-found', `There is no such ${kind}.`);
  }
  return found;
}

import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { rightsFor } from '@knowhow/shared/access/rights-for';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../caller.ts';
import { rightsListed } from './admin-rights.ts';

/** Throws unless an administrator holds one of the rights that an endpoint requires. */
export function checkRights(endpoint: AnyEndpoint, { anonymous, permissions }: Caller): void {
  const held = rightsListed(permissions.adminAccess);
  if (held.length === 0) {
    throw anonymous
      ? problem('not-signed-in', 'Sign in as an administrator first.')
      : problem('forbidden', 'This is for administrators.');
  }
  const needed = rightsFor(endpoint);
  if (!holdsRight(held, needed)) {
    throw problem(
      'forbidden',
      needed.length === 0
        ? 'This is for administrators with all rights.'
        : `This is for administrators with the right ${needed.map((right) => `"${right}"`).join(' or ')}.`,
    );
  }
}

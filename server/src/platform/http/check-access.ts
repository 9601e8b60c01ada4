import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { rightsFor } from '@knowhow/shared/access/rights-for';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { problem } from '@knowhow/shared/problem';
import { type Caller, rightsListed } from './caller.ts';

/**
 * The only place that decides access: throws `not-signed-in` or `forbidden` unless the caller may use an endpoint.
 */
export function checkAccess(endpoint: AnyEndpoint, caller: Caller): void {
  const { access, scope, inFrame } = endpoint;
  if (access === 'public') {
    return;
  }
  if (!caller.mayUse) {
    throw problem('not-signed-in', 'Sign in, or send a valid key.');
  }
  if (caller.scopes && (scope === undefined || !caller.scopes.has(scope))) {
    throw problem(
      'forbidden',
      scope === undefined
        ? 'API keys cannot be used for this. Sign in.'
        : `This key lacks the scope "${scope}".`,
    );
  }
  if (caller.embeddedIn !== undefined && !inFrame) {
    throw problem('forbidden', 'This is not available in an embedded chat. Open Knowhow itself.');
  }
  if (access === 'admin') {
    checkRights(endpoint, caller);
  }
}

/** Throws unless an administrator holds one of the rights that an endpoint requires. */
function checkRights(endpoint: AnyEndpoint, { anonymous, permissions }: Caller): void {
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

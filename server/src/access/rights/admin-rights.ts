import { type AdminRight, everyRight, type HeldRights } from '@knowhow/shared/access/admin-rights';
import type { Me } from '@knowhow/shared/access/auth';
import { problem } from '@knowhow/shared/problem';
import type { Contents } from '../../content/contents.ts';
import { type Caller, signedInCaller } from '../caller.ts';
import type { Grant } from '../permissions.ts';

/** Rights as the API says them: `*` alone stands for all. */
export function rightsListed(rights: Grant): HeldRights {
  return rights === 'all' ? [everyRight] : ([...rights] as AdminRight[]).sort();
}

/** What the API says of whoever has them. */
export function heldRights(rights: Grant): Pick<Me, 'isAdmin' | 'adminRights'> {
  const adminRights = rightsListed(rights);
  return adminRights.length > 0 ? { isAdmin: true, adminRights } : { isAdmin: false };
}

/** What an account in these groups looks after. */
export function rightsIn(groups: string[], contents: Contents): Grant {
  return signedInCaller({ id: '', name: '', groups }, contents).permissions.adminAccess;
}

/** Nobody gives a right they do not have, and nobody changes who has one: else they would soon have it. */
export function assertNoPrivilegeEscalation(by: Caller, rights: Grant, sentence: string): void {
  const own = by.permissions.adminAccess;
  if (own === 'all') {
    return;
  }
  const missing = rightsListed(rights).filter((right) => !own.has(right));
  if (missing.length > 0) {
    const which = missing.includes(everyRight) ? 'all rights' : `the rights ${missing.join(', ')}`;
    throw problem('forbidden', `${sentence} You do not have ${which} of an administrator.`);
  }
}

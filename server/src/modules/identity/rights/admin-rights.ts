import {
  everyRight,
  getSkillScope,
  type HeldRights,
  type SkillRight,
} from '@knowhow/shared/access/admin-rights';
import type { Me } from '@knowhow/shared/access/auth';
import { problem } from '@knowhow/shared/problem';
import { rightsListed } from '../../../platform/http/caller.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, signedInCaller } from '../caller.ts';
import type { Grant } from '../permissions.ts';

/** Admin status and rights in the API's form. */
export function heldRights(rights: Grant): Pick<Me, 'isAdmin' | 'adminRights'> {
  const adminRights = rightsListed(rights);
  return adminRights.length > 0 ? { isAdmin: true, adminRights } : { isAdmin: false };
}

/** The admin rights of an account in these groups. */
export function adminRightsOfGroups(groups: string[], contents: Contents): Grant {
  return signedInCaller({ id: '', name: '', groups }, contents).permissions.adminAccess;
}

/**
 * Prevents privilege escalation: administrators may neither grant rights they lack nor change users
 * who have them.
 */
export function assertNoPrivilegeEscalation(by: Caller, rights: Grant, sentence: string): void {
  const own = rightsListed(by.permissions.adminAccess);
  const missing = rightsListed(rights).filter((right) => !includesRight(own, right));
  if (missing.length > 0) {
    const which = missing.includes(everyRight) ? 'all rights' : `the rights ${missing.join(', ')}`;
    throw problem('forbidden', `${sentence} You do not have ${which} of an administrator.`);
  }
}

/** Whether these rights include another one, such as the right to manage skills that to block some. */
function includesRight(own: HeldRights, right: HeldRights[number]): boolean {
  const [, kind, category] = /^skill-(author|publish|block):(.+)$/s.exec(right) ?? [];
  if (category === undefined) {
    return own.includes(everyRight) || own.includes(right);
  }
  const scope = getSkillScope(own, [kind as SkillRight]);
  return scope === 'all' || scope.has(category);
}

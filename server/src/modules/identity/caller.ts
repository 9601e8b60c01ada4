import { defaultGuestGroups } from '@knowhow/shared/config/platform';
import type { Caller, Grant } from '../../platform/http/caller.ts';
import { isLoopbackHost } from '../../platform/lib/is-loopback-host.ts';
import type { Contents } from '../content/index.ts';
import { computePermissions, grants, noRights } from './permissions.ts';

export type { Caller };

/** A signed-in user, as currently stored. */
export interface Account {
  id: string;
  name: string;
  groups: string[];
}

/** The owner of a key, its scopes and its id. */
export interface KeyHolder extends Required<Pick<Caller, 'scopes'>>, Pick<Caller, 'key'> {
  account: Account;
}

export function signedInCaller(account: Account, contents: Contents): Caller {
  const groups = withAuthenticated(account.groups, contents);
  return {
    ...account,
    groups,
    anonymous: false,
    permissions: computePermissions(groups, contents.groups),
    mayUse: true,
  };
}

/**
 * A program with a user's API key. It has no admin rights of its owner, except those to write and publish skills with
 * the scope `authoring`.
 */
export function keyCaller({ account, ...holder }: KeyHolder, contents: Contents): Caller {
  const { permissions, ...caller } = signedInCaller(account, contents);
  const adminAccess = holder.scopes.has('authoring')
    ? authoringRights(permissions.adminAccess)
    : noRights();
  return { ...caller, permissions: { ...permissions, adminAccess }, ...holder };
}

function authoringRights(held: Grant): Grant {
  const ids = held === 'all' ? ['skills', 'publish'] : [...held];
  return new Set(
    ids.filter((right) => /^(?:skills|publish|skill-(?:author|publish):.*)$/s.test(right)),
  );
}

/** A program with a service key. It belongs to the groups of the key only. */
export function serviceCaller({ account, ...holder }: KeyHolder, contents: Contents): Caller {
  const permissions = computePermissions(account.groups, contents.groups);
  return {
    ...account,
    anonymous: false,
    permissions: { ...permissions, adminAccess: noRights() },
    mayUse: true,
    ...holder,
    isService: true,
  };
}

/** A user of an embedded app: limited to that app, without admin rights. */
export function embeddedCaller(caller: Caller, app: string): Caller {
  const { permissions } = caller;
  const apps = new Set(grants(permissions.apps, app) ? [app] : []);
  return {
    ...caller,
    permissions: { ...permissions, apps, adminAccess: noRights() },
    embeddedIn: app,
  };
}

/** @param allowed whether visitors without an account may do more than sign in */
export function anonymousCaller(id: string, contents: Contents, allowed: boolean): Caller {
  const groups = allowed ? guestGroups(contents) : [];
  return {
    id,
    name: 'Guest',
    groups,
    anonymous: true,
    permissions: { ...computePermissions(groups, contents.groups), adminAccess: noRights() },
    mayUse: allowed,
  };
}

/** Whether anonymous access is allowed: as configured, otherwise only on loopback. */
export function anonymousAllowed(contents: Contents, host: string): boolean {
  return contents.platform.anonymousAuth.enabled ?? isLoopbackHost(host);
}

/** All groups of a member. Accounts also belong to the groups of every authenticated user. */
export function withMemberGroups(groups: string[], contents: Contents): string[] {
  const ofGuests = guestGroups(contents);
  const isGuest = groups.every((group) => ofGuests.includes(group));
  return isGuest ? groups : withAuthenticated(groups, contents);
}

function withAuthenticated(groups: string[], { platform }: Contents): string[] {
  return unique([...groups, ...platform.authenticatedGroups]);
}

/** Groups of visitors without an account. */
export function guestGroups({ platform }: Contents): string[] {
  return platform.anonymousAuth.defaultGroups ?? defaultGuestGroups;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import type { Quota } from '@knowhow/shared/access/quotas';
import type { Contents } from '../content/contents.ts';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { grants, noRights, type Permissions, permissionsOf } from './permissions.ts';

/** Whoever makes a request, and what they may do: worked out again for every request. */
export interface Caller {
  /** Owns conversations. `anonymous:<uuid>` for a visitor without an account. */
  id: string;
  name: string;
  groups: string[];
  anonymous: boolean;
  permissions: Permissions;
  /** False for a visitor who has to sign in first. */
  mayUse: boolean;
  /** What the key is good for that somebody came with; undefined for one who is here in person. */
  scopes?: ReadonlySet<KeyScope>;
  /** The key that somebody came with. */
  key?: { id: string; quota?: Quota | undefined };
  /** A program that works for nobody: there is no person who could be asked. */
  isService?: true;
  /** The id of the app in whose frame, in a page of somebody else, they are. */
  embeddedIn?: string;
}

/** A signed-in user as the database has it now. */
export interface Account {
  id: string;
  name: string;
  groups: string[];
}

/** Whose a key is, what it is good for, and which it is. */
export interface KeyHolder extends Required<Pick<Caller, 'scopes'>>, Pick<Caller, 'key'> {
  account: Account;
}

export function signedInCaller(account: Account, contents: Contents): Caller {
  const groups = withAuthenticated(account.groups, contents);
  return {
    ...account,
    groups,
    anonymous: false,
    permissions: permissionsOf(groups, contents.groups),
    mayUse: true,
  };
}

/** Somebody's program, with a key: never an administrator, whoever made the key. */
export function keyCaller({ account, ...holder }: KeyHolder, contents: Contents): Caller {
  const { permissions, ...caller } = signedInCaller(account, contents);
  return { ...caller, permissions: { ...permissions, adminAccess: noRights() }, ...holder };
}

/** A program that works for nobody: it is in the groups that its key names, and in no other. */
export function serviceCaller({ account, ...holder }: KeyHolder, contents: Contents): Caller {
  const permissions = permissionsOf(account.groups, contents.groups);
  return {
    ...account,
    anonymous: false,
    permissions: { ...permissions, adminAccess: noRights() },
    mayUse: true,
    ...holder,
    isService: true,
  };
}

/** Somebody in the frame of an app: for them there is that app alone, and no administration. */
export function embeddedCaller(caller: Caller, app: string): Caller {
  const { permissions } = caller;
  const apps = new Set(grants(permissions.apps, app) ? [app] : []);
  return {
    ...caller,
    permissions: { ...permissions, apps, adminAccess: noRights() },
    embeddedIn: app,
  };
}

/** @param allowed whether visitors without an account may do anything but sign in */
export function anonymousCaller(id: string, contents: Contents, allowed: boolean): Caller {
  const groups = allowed ? guestGroups(contents) : [];
  return {
    id,
    name: 'Guest',
    groups,
    anonymous: true,
    permissions: { ...permissionsOf(groups, contents.groups), adminAccess: noRights() },
    mayUse: allowed,
  };
}

/** Whether visitors without an account are let in: as configured, else only on loopback. */
export function anonymousAllowed(contents: Contents, host: string): boolean {
  return contents.platform.anonymousAuth?.enabled ?? isLoopbackHost(host);
}

/** All groups of somebody in these: whoever has an account is also in those of every account. */
export function groupsOfMember(groups: string[], contents: Contents): string[] {
  const ofGuests = guestGroups(contents);
  const isGuest = groups.every((group) => ofGuests.includes(group));
  return isGuest ? groups : withAuthenticated(groups, contents);
}

function withAuthenticated(groups: string[], { platform }: Contents): string[] {
  return unique([...groups, ...(platform.authenticatedGroups ?? [])]);
}

function guestGroups({ platform }: Contents): string[] {
  return platform.anonymousAuth?.defaultGroups ?? ['anonymous'];
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

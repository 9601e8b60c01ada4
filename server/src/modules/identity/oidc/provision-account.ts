import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { type Directory, getUserGroups, identityKey, parseDirectory } from '../identity.ts';
import type { SessionCache } from '../session-cache.ts';
import { admitPerson, groupsGiven } from './admit-person.ts';
import { findByIdentity, type LinkedAccount, linkAccount } from './link-account.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { ClaimsRefused, type Person, readPerson } from './read-person.ts';
import { SignInRefused } from './sign-in-refused.ts';

/** Settings that decide about a person from a provider. */
export type Admitting = Pick<
  OidcProvider,
  | 'name'
  | 'title'
  | 'groupsAttribute'
  | 'nameAttribute'
  | 'defaultGroups'
  | 'allow'
  | 'allowsSignup'
>;

export interface ProvisionedAccount extends LinkedAccount {
  identity: string;
  /** Time of the previous sign-in; undefined for the first one. */
  lastAt: string | undefined;
}

interface Dependencies {
  database: Database;
  contents: () => Contents;
  sessionCache: SessionCache;
}

/**
 * Checks the access policy, then creates or updates the account of a verified identity with its
 * current groups. Throws `SignInRefused`.
 */
export async function provisionAccount(
  { database, contents, sessionCache }: Dependencies,
  provider: Admitting,
  { issuer, claims }: { issuer: string; claims: Record<string, unknown> },
): Promise<ProvisionedAccount> {
  const person = personOf(claims, provider);
  const identity = identityKey(issuer, person.subject);
  const known = await findByIdentity(database, identity);
  const username = known?.username ?? person.username;
  const admission = admitPerson(person, provider, known !== undefined);
  if (admission !== 'admitted') {
    const message = 'Denied by the access policy.';
    throw new SignInRefused(admission, message, { username, identity });
  }
  if (known && known.disabled !== 0) {
    throw new SignInRefused('disabled', 'The account is disabled.', { username, identity });
  }
  const directory = directoryFor(provider, person, contents());
  const linked = await linkAccount(database, { identity, person, directory });
  if (known && (known.name !== linked.name || !haveSameGroups(known, linked))) {
    await sessionCache.forget([linked.id]);
  }
  return { ...linked, identity, lastAt: known && parseDirectory(known)?.at };
}

function haveSameGroups(
  before: Parameters<typeof getUserGroups>[0],
  { groups }: LinkedAccount,
): boolean {
  return JSON.stringify(getUserGroups(before)) === JSON.stringify(groups);
}

function personOf(claims: Record<string, unknown>, provider: Admitting): Person {
  try {
    return readPerson(claims, provider);
  } catch (error) {
    if (error instanceof ClaimsRefused) {
      throw new SignInRefused('claims', error.message);
    }
    throw error;
  }
}

/** The data that we store about a person from a provider. */
function directoryFor(provider: Admitting, person: Person, { groups }: Contents): Directory {
  const { name, title } = provider;
  return {
    provider: name,
    title,
    ...(person.email === undefined ? {} : { email: person.email }),
    groups: groupsGiven(person.groups, provider, groups),
    at: new Date().toISOString(),
  };
}

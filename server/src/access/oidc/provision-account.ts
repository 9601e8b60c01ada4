import type { Contents } from '../../content/contents.ts';
import type { Database } from '../../storage/open-database.ts';
import { type Directory, directoryOf, identityOf } from '../identity.ts';
import { admitPerson, groupsGiven } from './admit-person.ts';
import { findByIdentity, type LinkedAccount, linkAccount } from './link-account.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { ClaimsRefused, type Person, readPerson } from './read-person.ts';
import { SignInRefused } from './sign-in-refused.ts';

/** What decides of somebody who comes from elsewhere. */
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

export interface Admitted extends LinkedAccount {
  identity: string;
  /** When they were last admitted before; undefined for the first time. */
  lastAt: string | undefined;
}

interface Dependencies {
  database: Database;
  contents: () => Contents;
}

/**
 * Whoever somebody is known to be: by the rule of who may come in, into the account of this subject, with the
 * groups that follow now. Throws `SignInRefused`.
 */
export async function provisionAccount(
  { database, contents }: Dependencies,
  provider: Admitting,
  { issuer, claims }: { issuer: string; claims: Record<string, unknown> },
): Promise<Admitted> {
  const person = personOf(claims, provider);
  const identity = identityOf(issuer, person.subject);
  const known = await findByIdentity(database, identity);
  const username = known?.username ?? person.username;
  const admission = admitPerson(person, provider, known !== undefined);
  if (admission !== 'admitted') {
    const text = 'The rule of who may come in says no.';
    throw new SignInRefused(admission, text, { username, identity });
  }
  if (known && known.disabled !== 0) {
    throw new SignInRefused('disabled', 'The account is disabled.', { username, identity });
  }
  const directory = directoryFor(provider, person, contents());
  const joined = await linkAccount(database, { identity, person, directory });
  return { ...joined, identity, lastAt: known && directoryOf(known)?.at };
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

/** What is kept of what a provider says of somebody. */
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

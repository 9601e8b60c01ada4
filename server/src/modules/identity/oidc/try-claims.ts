import type { ClaimTrial } from '@knowhow/shared/access/admin-sign-in';
import { rightsListed } from '../../../platform/http/caller.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { signedInCaller } from '../caller.ts';
import { identityKey } from '../identity.ts';
import { admitPerson, groupsGiven } from './admit-person.ts';
import { findByIdentity } from './link-account.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { ClaimsRefused, readPerson } from './read-person.ts';

const maxShownGroups = 50;

interface Dependencies {
  database: Database;
  contents: () => Contents;
}

/** Dry run: what a sign-in with these claims would result in. */
export async function tryClaims(
  provider: OidcProvider,
  claims: Record<string, unknown>,
  { database, contents }: Dependencies,
): Promise<ClaimTrial> {
  try {
    const person = readPerson(claims, provider);
    const { subject, name, email, notes } = person;
    const issuer = typeof claims.iss === 'string' ? claims.iss : provider.issuer;
    const known = await findByIdentity(database, identityKey(issuer, subject));
    const admission = admitPerson(person, provider, known !== undefined);
    const isDisabled = admission === 'admitted' && known !== undefined && known.disabled !== 0;
    const given = groupsGiven(person.groups, provider, contents().groups);
    const own = known ? (JSON.parse(known.groups) as string[]) : [];
    const { permissions, groups } = signedInCaller(
      { id: '', name, groups: [...own, ...given] },
      contents(),
    );
    return {
      outcome: isDisabled ? 'disabled' : admission,
      name,
      ...(email === undefined ? {} : { email }),
      there: { count: person.groups.length, first: person.groups.slice(0, maxShownGroups) },
      groups,
      isAdmin: rightsListed(permissions.adminAccess).length > 0,
      notes,
      ...(known && { account: { username: known.username, name: known.name } }),
    };
  } catch (error) {
    if (error instanceof ClaimsRefused) {
      return { outcome: 'claims', message: error.message, groups: [], isAdmin: false, notes: [] };
    }
    throw error;
  }
}

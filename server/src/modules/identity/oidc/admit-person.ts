import type { Group } from '@knowhow/shared/access/groups';
import type { OidcProvider } from './oidc-providers.ts';
import type { Person } from './read-person.ts';

type Admitting = Pick<OidcProvider, 'allow' | 'allowsSignup'>;

/**
 * Whether a person may sign in. The provider's access rule decides each time. Without a rule, known
 * accounts may, and new ones if sign-up is allowed.
 */
export function admitPerson(
  { groups, email }: Pick<Person, 'groups' | 'email'>,
  { allow, allowsSignup }: Admitting,
  isKnown: boolean,
): 'admitted' | 'not-allowed' | 'no-account' {
  if (allow === undefined) {
    return isKnown || allowsSignup ? 'admitted' : 'no-account';
  }
  const byGroup = allow.groups?.some((group) => groups.includes(group)) ?? false;
  const byEmail =
    email !== undefined && (allow.emails?.some((rule) => matchesEmail(email, rule)) ?? false);
  return byGroup || byEmail ? 'admitted' : 'not-allowed';
}

/** Matches an email address, or all addresses of a domain. */
function matchesEmail(email: string, rule: string): boolean {
  const wanted = rule.toLowerCase();
  return wanted.startsWith('@') ? email.endsWith(wanted) : email === wanted;
}

/**
 * Ids of our groups that a person gets from the mappings and from the provider's defaults. A group
 * name with a colon only matches with the provider's prefix. Otherwise, a provider could name its
 * groups like those of another.
 */
export function groupsGiven(
  external: readonly string[],
  { name, defaultGroups }: Pick<OidcProvider, 'name' | 'defaultGroups'>,
  groups: ReadonlyMap<string, Group>,
): string[] {
  const plain = external.filter((group) => !group.includes(':'));
  const candidates = new Set([...plain, ...external.map((group) => `${name}:${group}`)]);
  const mapped = [...groups].flatMap(([id, { mappings = [] }]) =>
    mappings.some((mapping) => candidates.has(mapping)) ? [id] : [],
  );
  return [...new Set([...mapped, ...defaultGroups.filter((id) => groups.has(id))])];
}

import type { Group } from '@knowhow/shared/access/groups';
import type { OidcProvider } from './oidc-providers.ts';
import type { Person } from './read-person.ts';

type Admitting = Pick<OidcProvider, 'allow' | 'allowsSignup'>;

/**
 * Whether somebody may come in: by the rule of the provider each time, and without a rule if they are known or
 * everybody may be.
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
  const byEmail = email !== undefined && (allow.emails?.some((rule) => fits(email, rule)) ?? false);
  return byGroup || byEmail ? 'admitted' : 'not-allowed';
}

/** An address, or all of a host. */
function fits(email: string, rule: string): boolean {
  const wanted = rule.toLowerCase();
  return wanted.startsWith('@') ? email.endsWith(wanted) : email === wanted;
}

/**
 * Ids of our groups that somebody has by those of a directory, and by having come in at all. A name with a colon counts with
 * the directory's name before it only: else one could give its groups the names of another's.
 */
export function groupsGiven(
  external: readonly string[],
  { name, defaultGroups }: Pick<OidcProvider, 'name' | 'defaultGroups'>,
  groups: ReadonlyMap<string, Group>,
): string[] {
  const plain = external.filter((group) => !group.includes(':'));
  const held = new Set([...plain, ...external.map((group) => `${name}:${group}`)]);
  const mapped = [...groups].flatMap(([id, { mappings = [] }]) =>
    mappings.some((mapping) => held.has(mapping)) ? [id] : [],
  );
  return [...new Set([...mapped, ...defaultGroups.filter((id) => groups.has(id))])];
}

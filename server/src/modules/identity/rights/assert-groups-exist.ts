import { problem } from '@knowhow/shared/problem';
import { type Contents, type NamedGroup, toNamedGroups } from '../../content/index.ts';

/**
 * Throws `invalid-request` with an issue for each group that does not exist. Otherwise, its members
 * would get rights as soon as a group with this name is created or restored.
 */
export function assertGroupsExist(
  named: readonly NamedGroup[],
  { groups }: Pick<Contents, 'groups'>,
): void {
  const issues = named
    .filter(({ id }) => !groups.has(id))
    .map(({ field, id }) => ({
      path: field,
      code: 'unknown-group',
      message: `There is no group "${id}".`,
    }));
  const [first] = issues;
  if (first) {
    const detail = `${first.path}: ${first.message} Create the group first, or choose another.`;
    throw problem('invalid-request', detail, { issues });
  }
}

/**
 * The same for `groups` of a request. Groups in `held` may remain, even if they no longer exist.
 */
export function assertMembershipsExist(
  groups: readonly string[],
  contents: Pick<Contents, 'groups'>,
  held: readonly string[] = [],
): void {
  const named = toNamedGroups('groups', groups).filter(({ id }) => !held.includes(id));
  assertGroupsExist(named, contents);
}

import type { Group } from '@knowhow/shared/access/groups';
import { type Quota, quotaFields } from '@knowhow/shared/access/quotas';
import type { Usage } from '@knowhow/shared/access/usage';
import type { Contents } from '../../content/contents.ts';
import type { Caller } from '../caller.ts';
import { withInherited } from '../permissions.ts';

/** Whose use is counted, and how much it may be. */
export interface Holder {
  kind: Usage['kind'];
  id: string;
  quota: Quota;
}

type Asking = Pick<Caller, 'id' | 'groups' | 'anonymous' | 'isService' | 'key'>;

/**
 * Everything that what somebody does is counted for: the user, the key they came with, and those of their groups
 * that have a bound for all together. Who inherits a group is not in it.
 */
export function holdersOf(caller: Asking, contents: Contents): Holder[] {
  const { platform } = contents;
  const { id, anonymous, isService, key } = caller;
  const isUser = !anonymous && !isService;
  return [
    ...(isUser ? [{ kind: 'user' as const, id, quota: quotaOfUser(caller, contents) }] : []),
    ...(key === undefined
      ? []
      : [{ kind: 'key' as const, id: key.id, quota: { ...platform.quotas?.key, ...key.quota } }]),
    ...groupHolders(caller.groups.flatMap((group) => contents.groups.get(group) ?? [])),
  ];
}

/** What each user may use who is in these groups: where several say something, the most generous. */
export function quotaOfUser(
  { groups }: { groups: readonly string[] },
  { platform, groups: all }: Contents,
): Quota {
  const said = withInherited(groups, all).flatMap(({ quotas }): Quota[] =>
    quotas?.each ? [quotas.each] : [],
  );
  const entries = quotaFields.flatMap((field) => {
    const values = said.flatMap((quota) => quota[field] ?? []);
    const most = values.includes(0) ? 0 : Math.max(...values);
    const value = values.length > 0 ? most : platform.quotas?.user?.[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

export function groupHolders(groups: readonly Group[]): Holder[] {
  return groups.flatMap(({ id, quotas }) =>
    quotas?.together && isBound(quotas.together)
      ? [{ kind: 'group' as const, id, quota: quotas.together }]
      : [],
  );
}

/** Whether it keeps anybody from anything. */
export function isBound(quota: Quota): boolean {
  return quotaFields.some((field) => (quota[field] ?? 0) > 0);
}

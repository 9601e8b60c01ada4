import type { Group } from '@knowhow/shared/access/groups';
import { type Quota, quotaFields } from '@knowhow/shared/access/quotas';
import type { Usage } from '@knowhow/shared/access/usage';
import type { Contents } from '../../content/index.ts';
import type { Caller } from '../caller.ts';
import { withInherited } from '../permissions.ts';

/** Someone or something whose usage is counted and limited. */
export interface QuotaHolder {
  kind: Usage['kind'];
  id: string;
  quota: Quota;
}

type QuotaCaller = Pick<Caller, 'id' | 'groups' | 'anonymous' | 'isService' | 'key'>;

/**
 * Everyone that a caller's usage is counted for: the user, the API key, and those of the user's
 * groups with a shared quota. Inherited groups do not count.
 */
export function listQuotaHolders(caller: QuotaCaller, contents: Contents): QuotaHolder[] {
  const { platform } = contents;
  const { id, anonymous, isService, key } = caller;
  const isUser = !anonymous && !isService;
  return [
    ...(isUser ? [{ kind: 'user' as const, id, quota: getUserQuota(caller, contents) }] : []),
    ...(key === undefined
      ? []
      : [{ kind: 'key' as const, id: key.id, quota: { ...platform.quotas.key, ...key.quota } }]),
    ...groupHolders(caller.groups.flatMap((group) => contents.groups.get(group) ?? [])),
  ];
}

/**
 * The quota of each user in these groups: the most generous one of the groups, otherwise the
 * default.
 */
export function getUserQuota(
  { groups }: { groups: readonly string[] },
  { platform, groups: all }: Contents,
): Quota {
  const quotas = withInherited(groups, all).flatMap(({ quotas }): Quota[] =>
    quotas?.each ? [quotas.each] : [],
  );
  const entries = quotaFields.flatMap((field) => {
    const values = quotas.flatMap((quota) => quota[field] ?? []);
    const max = values.includes(0) ? 0 : Math.max(...values);
    const value = values.length > 0 ? max : platform.quotas.user[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

export function groupHolders(groups: readonly Group[]): QuotaHolder[] {
  return groups.flatMap(({ id, quotas }) =>
    quotas?.together && isBound(quotas.together)
      ? [{ kind: 'group' as const, id, quota: quotas.together }]
      : [],
  );
}

/** Whether a quota limits anything. */
export function isBound(quota: Quota): boolean {
  return quotaFields.some((field) => (quota[field] ?? 0) > 0);
}

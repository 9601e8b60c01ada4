import type { Quota } from '@knowhow/shared/access/quotas';
import type { Usage, Used } from '@knowhow/shared/access/usage';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { signedInCaller } from '../caller.ts';
import { getUserQuota, groupHolders, type QuotaHolder } from './quota-holders.ts';
import type { Counted, Counts } from './usage-counts.ts';

/** Usage of everyone, with current names and quotas; most tokens this month first. */
export async function listUsage(
  database: Database,
  contents: Contents,
  used: ReadonlyMap<string, Counts>,
): Promise<Usage[]> {
  const known = await holdersWithNames(database, contents);
  const usages = [...used].flatMap(([holder, counts]): Usage[] => {
    const found = known.get(holder);
    const [, kind, id = ''] = /^(user|key|group):(.*)$/s.exec(holder) ?? [];
    if (found) {
      return [{ ...describeUsage(found, counts), name: found.name }];
    }
    // A shared quota that has been removed is not listed any more.
    return kind === 'user' || kind === 'key'
      ? [describeUsage({ kind, id, quota: {} }, counts)]
      : [];
  });
  return usages.sort(
    (one, other) => other.month.tokens - one.month.tokens || other.month.turns - one.month.turns,
  );
}

type NamedHolder = QuotaHolder & { name: string };

async function holdersWithNames(
  database: Database,
  contents: Contents,
): Promise<Map<string, NamedHolder>> {
  const forKeys = contents.platform.quotas.key;
  const users = await database.selectFrom('users').select(['id', 'name', 'groups']).execute();
  const own = await database
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.name', 'users.name as owner'])
    .execute();
  const services = await database
    .selectFrom('service_keys')
    .select(['id', 'name', 'quota'])
    .execute();
  const holders: NamedHolder[] = [
    ...users.map(({ id, name, groups }) => {
      const account = { id, name, groups: JSON.parse(groups) as string[] };
      const quota = getUserQuota(signedInCaller(account, contents), contents);
      return { kind: 'user' as const, id, name, quota };
    }),
    ...own.map(({ id, name, owner }) => ({
      kind: 'key' as const,
      id,
      name: `${name} (${owner})`,
      quota: forKeys,
    })),
    ...services.map(({ id, name, quota }) => {
      const own = quota === null ? {} : (JSON.parse(quota) as Quota);
      return { kind: 'key' as const, id, name, quota: { ...forKeys, ...own } };
    }),
    ...groupHolders([...contents.groups.values()]).map((holder) => ({
      ...holder,
      name: contents.groups.get(holder.id)?.name ?? holder.id,
    })),
  ];
  return new Map(holders.map((holder) => [`${holder.kind}:${holder.id}`, holder]));
}

/** Usage and limits, as displayed. */
export function describeUsage({ kind, id, quota }: QuotaHolder, { day, month }: Counts): Usage {
  return {
    kind,
    id,
    day: usedOf(day, quota.turnsPerDay, quota.tokensPerDay),
    month: usedOf(month, quota.turnsPerMonth, quota.tokensPerMonth),
  };
}

function usedOf(counted: Counted, maxTurns = 0, maxTokens = 0): Used {
  return {
    ...counted,
    ...(maxTurns > 0 ? { maxTurns } : {}),
    ...(maxTokens > 0 ? { maxTokens } : {}),
  };
}

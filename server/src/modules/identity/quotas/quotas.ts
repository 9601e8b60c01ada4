import type { Usage } from '@knowhow/shared/access/usage';
import type { Cluster, Slot } from '../../../platform/cluster/cluster.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/contents.ts';
import type { Caller } from '../caller.ts';
import { checkQuota } from './check-quota.ts';
import { describeUsage, listUsage } from './list-usage.ts';
import { maxAtOnce, type StartedTurn, tooManyAtOnce } from './max-at-once.ts';
import { periodsAt } from './periods.ts';
import { isBound, listQuotaHolders, type QuotaHolder } from './quota-holders.ts';
import { createUsageCounts } from './usage-counts.ts';

/** The usage of one turn. */
export interface TurnUsage {
  /** Counts tokens as they are used. The turn continues even if the quota is exceeded. */
  spend(tokens: number): void;
  /** Releases the slots after all usage is stored. Never rejects; may be called again. */
  end(): Promise<void>;
}

/** Usage counters in the database, and their limits. */
export interface Quotas {
  /**
   * Counts a turn that is about to start. Throws `quota-used-up` with the reset time, and
   * `too-many-requests` while turns in progress may use up the remaining tokens.
   */
  begin(caller: Caller): Promise<TurnUsage>;
  /** A caller's usage and all applicable quotas. */
  of(caller: Caller): Promise<Usage[]>;
  /** Usage of everyone with usage this month, highest first. */
  all(): Promise<Usage[]>;
  /** Resolves when everything is stored. */
  close(): Promise<void>;
}

interface Dependencies {
  database: Database;
  cluster: Cluster;
  contents: () => Contents;
  log: Log;
}

const nothing = { turns: 0, tokens: 0 };
const noCounts = { day: nothing, month: nothing };

export function createQuotas({ database, cluster, contents, log }: Dependencies): Quotas {
  const counts = createUsageCounts(database);
  const slots = cluster.slots('quota');
  const writing = new Set<Promise<void>>();
  /** Does not block the turn. If the write fails, the log has an error. */
  const addLater = (names: readonly string[], used: { turns: number; tokens: number }) => {
    const { day } = periodsAt(new Date());
    const write = counts
      .add(names, day, used)
      .catch((error: unknown) => log.error({ error }, 'failed to count usage'))
      .finally(() => writing.delete(write));
    writing.add(write);
  };
  const takeSlots = async (begun: readonly StartedTurn[], taken: Slot[]) => {
    for (const { holder, counted } of begun) {
      const max = maxAtOnce(holder, counted);
      const slot = await slots.take(nameOf(holder), max);
      if (!slot) {
        throw tooManyAtOnce(holder, max);
      }
      taken.push(slot);
    }
  };
  /** The slots are released when the turn ends. */
  const takeTurn = async (holders: readonly QuotaHolder[], names: readonly string[]) => {
    const periods = periodsAt(new Date());
    const used = await counts.read(periods, names);
    const begun = holders.map((holder) => {
      const counted = used.get(nameOf(holder)) ?? noCounts;
      checkQuota(holder, counted, periods);
      return { holder, counted };
    });
    const taken: Slot[] = [];
    try {
      await takeSlots(begun, taken);
      await counts.add(names, periods.day, { turns: 1, tokens: 0 });
    } catch (error) {
      await releaseAll(taken);
      throw error;
    }
    return taken;
  };
  /** Sorted, to avoid deadlocks. */
  const withLocks = (names: readonly string[], work: () => Promise<Slot[]>) =>
    [...names]
      .sort()
      .reduce((inner, name) => () => cluster.withLock(`quota ${name}`, inner), work)();
  return {
    begin: async (caller) => {
      const holders = listQuotaHolders(caller, contents());
      const names = holders.map(nameOf);
      let taken: Slot[] = [];
      if (holders.some(({ quota }) => isBound(quota))) {
        // Locked, so that two concurrent turns cannot both use the rest of a quota.
        const bound = holders.filter(({ quota }) => isBound(quota)).map(nameOf);
        taken = await withLocks(bound, () => takeTurn(holders, names));
      } else {
        addLater(names, { turns: 1, tokens: 0 });
      }
      return {
        spend: (tokens) => addLater(names, { turns: 0, tokens }),
        end: async () => {
          // The next turn must see the usage of this one.
          await Promise.all(writing);
          await releaseAll(taken.splice(0));
        },
      };
    },
    of: async (caller) => {
      const holders = caller.anonymous ? [] : listQuotaHolders(caller, contents());
      const used = await counts.read(periodsAt(new Date()), holders.map(nameOf));
      return holders.map((holder) => ({
        ...describeUsage(holder, used.get(nameOf(holder)) ?? noCounts),
        name: holder.kind === 'group' ? contents().groups.get(holder.id)?.name : caller.name,
      }));
    },
    all: async () => {
      const used = await counts.read(periodsAt(new Date()));
      return listUsage(database, contents(), used);
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}

async function releaseAll(taken: readonly Slot[]): Promise<void> {
  await Promise.all(taken.map((slot) => slot.release()));
}

function nameOf({ kind, id }: QuotaHolder): string {
  return `${kind}:${id}`;
}

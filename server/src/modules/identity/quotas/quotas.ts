import type { QuotaField } from '@knowhow/shared/access/quotas';
import type { Usage } from '@knowhow/shared/access/usage';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { Cluster, Slot } from '../../../platform/cluster/cluster.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import type { Caller } from '../caller.ts';
import { describeUsage, listUsage } from './list-usage.ts';
import type { Periods } from './periods.ts';
import { periodsAt } from './periods.ts';
import { isBound, listQuotaHolders, type QuotaHolder } from './quota-holders.ts';
import type { Counts } from './usage-counts.ts';
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

/** A holder of a quota for whom a turn begins, and what was counted before. */
interface StartedTurn {
  holder: QuotaHolder;
  counted: Counts;
}

/** The fewest tokens that a turn is expected to use: the length of its answer is unknown. */
const minTokens = 4000;

/** If more turns than this would fit, the remaining tokens do not limit concurrency. */
const maxSlots = 200;

const retryAfter = 5;

/**
 * Maximum number of concurrent turns of a holder: as many as the remaining tokens allow, at least
 * one. A turn is expected to use twice the monthly average. `Infinity` if there is no token quota,
 * or plenty is left.
 */
function maxAtOnce({ quota }: QuotaHolder, { day, month }: Counts): number {
  const left = Math.min(
    remaining(quota.tokensPerDay, day.tokens),
    remaining(quota.tokensPerMonth, month.tokens),
  );
  const average = month.tokens / Math.max(1, month.turns);
  const max = Math.max(1, Math.floor(left / Math.max(minTokens, 2 * average)));
  return max > maxSlots ? Number.POSITIVE_INFINITY : max;
}

/** A quota of 0 is no limit. */
function remaining(quota = 0, used: number): number {
  return quota > 0 ? quota - used : Number.POSITIVE_INFINITY;
}

function tooManyAtOnce({ kind }: QuotaHolder, max: number): Problem {
  const answers = max === 1 ? 'one answer' : `${max} answers`;
  return problem(
    'too-many-requests',
    `${owners[kind]} tokens left for ${answers} at once. Wait until an answer in progress has ended, then send your message again.`,
    { retryAfter },
  );
}

/** Throws `quota-used-up` with the reset time if a quota does not allow another turn. */
function checkQuota({ kind, quota }: QuotaHolder, counts: Counts, periods: Periods): void {
  const used: Record<QuotaField, number> = {
    turnsPerMonth: counts.month.turns,
    tokensPerMonth: counts.month.tokens,
    turnsPerDay: counts.day.turns,
    tokensPerDay: counts.day.tokens,
  };
  for (const field of fields) {
    const max = quota[field] ?? 0;
    if (max > 0 && used[field] >= max) {
      const isMonth = field.endsWith('Month');
      const opensAt = isMonth ? periods.monthEndsAt : periods.dayEndsAt;
      const what = `${max} ${units[field]} a ${isMonth ? 'month' : 'day'}`;
      throw problem(
        'quota-used-up',
        `${owners[kind]} ${what}, and they are used up. The quota resets at ${opensAt.toISOString().slice(0, 16).replace('T', ' ')} UTC; an administrator can allow more.`,
        { retryAfter: Math.max(1, Math.ceil((opensAt.getTime() - Date.now()) / 1000)) },
      );
    }
  }
}

/** Longest wait first. */
const fields: readonly QuotaField[] = [
  'turnsPerMonth',
  'tokensPerMonth',
  'turnsPerDay',
  'tokensPerDay',
];

const units: Record<QuotaField, string> = {
  turnsPerDay: 'messages',
  turnsPerMonth: 'messages',
  tokensPerDay: 'tokens',
  tokensPerMonth: 'tokens',
};

/** Start of a message about the quota of a holder. */
const owners = {
  user: 'You have',
  key: 'This key has',
  group: 'Your group has together',
} as const;

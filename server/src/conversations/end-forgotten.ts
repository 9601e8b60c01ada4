import type { EndReason } from '@knowhow/shared/chat';
import type { PlatformConfig } from '@knowhow/shared/platform';
import type { Cluster, Scheduled } from '../cluster/cluster.ts';
import type { Contents } from '../content/contents.ts';
import { daysAgo } from '../lib/days-ago.ts';
import type { Log } from '../lib/log.ts';
import { oneOf } from '../storage/one-of.ts';
import type { Database } from '../storage/open-database.ts';

/** How long, and how many, skills stay active in conversations nobody goes on with; 0: no limit. */
export interface ForgottenLimits {
  lifetimeDays: number;
  maxTotal: number;
}

interface Scheduling {
  cluster: Cluster;
  database: Database;
  contents: () => Contents;
  log: Log;
}

/** As Croner takes it. */
const everyMinute = '* * * * *';
const name = 'forgotten skills';

/** Ends what is forgotten, now and once a minute. */
export async function scheduleForgetting(scheduling: Scheduling): Promise<Scheduled> {
  const { cluster, database, contents, log } = scheduling;
  const end = () =>
    endForgotten(database, forgottenLimits(contents().platform)).catch((error: unknown) =>
      log.error({ error }, 'forgotten skills could not be ended'),
    );
  await cluster.atStart(name, end);
  return cluster.oneNode(name, everyMinute, end);
}

const conversationsAtOnce = 500;

export function forgottenLimits({ activeSkills = {} }: PlatformConfig): ForgottenLimits {
  const { lifetimeDays = 90, maxTotal = 100_000 } = activeSkills;
  return { lifetimeDays, maxTotal };
}

/** Whether the skills of a conversation have ended by now. @param updatedAt ISO 8601: of its last message */
export function isForgotten(updatedAt: string, { lifetimeDays }: ForgottenLimits): boolean {
  return lifetimeDays > 0 && Date.parse(updatedAt) < daysAgo(lifetimeDays);
}

/**
 * Ends skills that are active in conversations in which nothing was said for too long, and, where too many are
 * active in all, those of the conversations that were used longest ago. What an app always uses has no
 * lifetime: it would come back. Conversations that are being answered are left alone.
 */
async function endForgotten(
  database: Database,
  { lifetimeDays, maxTotal }: ForgottenLimits,
): Promise<void> {
  if (lifetimeDays > 0) {
    const usedSince = new Date(daysAgo(lifetimeDays)).toISOString();
    while (await endSome(database, { usedSince })) {
      // So many at once hold nobody up.
    }
  }
  if (maxTotal > 0) {
    for (;;) {
      const excess = (await countActive(database)) - maxTotal;
      if (excess <= 0 || !(await endSome(database, { excess }))) {
        return;
      }
    }
  }
}

async function countActive(database: Database): Promise<number> {
  const { total } = await database
    .selectFrom('activations')
    .where('ended_at', 'is', null)
    .select(({ fn }) => fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Those not used since then, or as many as are too many. False when there were none. */
async function endSome(
  database: Database,
  { usedSince, excess = Number.POSITIVE_INFINITY }: { usedSince?: string; excess?: number },
): Promise<boolean> {
  const oldest = await oldestActive(database, usedSince);
  let left = excess;
  const chosen = oldest.filter(({ active }) => {
    const isWanted = left > 0;
    left -= Number(active);
    return isWanted;
  });
  if (chosen.length === 0) {
    return false;
  }
  let ending = database
    .updateTable('activations')
    .set({
      ended_at: new Date().toISOString(),
      end_reason: 'limit' satisfies EndReason,
      ended_in: null,
      text: null,
    })
    .where('conversation_id', 'in', oneOf(chosen.map(({ id }) => id)))
    .where('ended_at', 'is', null);
  if (usedSince !== undefined) {
    ending = ending.where('via', '<>', 'app');
  }
  await ending.execute();
  return true;
}

/** Conversations with active skills, and how many these are: those used longest ago. */
function oldestActive(
  database: Database,
  usedSince: string | undefined,
): Promise<{ id: string; active: number | string | bigint }[]> {
  const query = database
    .selectFrom('activations')
    .innerJoin('conversations', 'conversations.id', 'activations.conversation_id')
    .where('activations.ended_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('id')
            .whereRef('conversation_id', '=', 'conversations.id')
            .where('status', '=', 'running'),
        ),
      ),
    )
    .groupBy(['conversations.id', 'conversations.updated_at'])
    .orderBy('conversations.updated_at')
    .limit(conversationsAtOnce)
    .select(({ fn }) => ['conversations.id', fn.countAll<number | string | bigint>().as('active')]);
  return usedSince === undefined
    ? query.execute()
    : query
        .where('conversations.updated_at', '<', usedSince)
        .where('activations.via', '<>', 'app')
        .execute();
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { EndReason } from '@knowhow/shared/chat/chat';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Cluster, Scheduled } from '../../platform/cluster/cluster.ts';
import { daysAgo } from '../../platform/lib/days-ago.ts';
import type { Log } from '../../platform/lib/log.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Contents } from '../content/index.ts';
import type { ActivationRecord, Records } from './records.ts';

/** Limits for active skills of inactive conversations: lifetime in days and total number; 0 means no limit. */
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

/** Cron expression for Croner. */
const everyMinute = '* * * * *';
const name = 'forgotten skills';

/** Ends expired skills at startup and once a minute. */
export async function scheduleSkillExpiry(scheduling: Scheduling): Promise<Scheduled> {
  const { cluster, database, contents, log } = scheduling;
  const end = () =>
    endExpired(database, getExpiryLimits(contents().platform)).catch((error: unknown) =>
      log.error({ error }, 'expired skills could not be ended'),
    );
  await cluster.atStart(name, end);
  return cluster.oneNode(name, everyMinute, end);
}

const batchSize = 500;

export function getExpiryLimits({ activeSkills }: PlatformConfig): ForgottenLimits {
  return activeSkills;
}

/**
 * Whether a conversation's skills have expired.
 *
 * @param updatedAt time of its last message, ISO 8601
 */
export function isExpired(updatedAt: string, { lifetimeDays }: ForgottenLimits): boolean {
  return lifetimeDays > 0 && Date.parse(updatedAt) < daysAgo(lifetimeDays);
}

/**
 * Ends skills in conversations that were inactive for longer than the lifetime. If too many are active in total, ends
 * those of the least recently used conversations. Skills that an app activates automatically have no lifetime,
 * because they would come back. Conversations with a running answer are skipped.
 */
async function endExpired(
  database: Database,
  { lifetimeDays, maxTotal }: ForgottenLimits,
): Promise<void> {
  if (lifetimeDays > 0) {
    const usedSince = new Date(daysAgo(lifetimeDays)).toISOString();
    for await (const batch of activeConversations(database)) {
      const old = batch.filter(({ updated_at }) => updated_at < usedSince);
      await endIn(database, old, { isLifetime: true });
    }
  }
  if (maxTotal > 0) {
    await endExcess(database, maxTotal);
  }
}

async function endExcess(database: Database, maxTotal: number): Promise<void> {
  let excess = (await countActive(database)) - maxTotal;
  if (excess <= 0) {
    return;
  }
  const all: ActiveConversation[] = [];
  for await (const batch of activeConversations(database)) {
    all.push(...batch);
  }
  all.sort((one, other) => (one.updated_at < other.updated_at ? -1 : 1));
  for (let start = 0; start < all.length && excess > 0; start += batchSize) {
    const chosen: ActiveConversation[] = [];
    for (const each of all.slice(start, start + batchSize)) {
      if (excess > 0) {
        chosen.push(each);
        excess -= each.active;
      }
    }
    await endIn(database, chosen, { isLifetime: false });
    await yieldToEventLoop();
    // Conversations with a running answer were skipped, so the count is updated.
    excess = (await countActive(database)) - maxTotal;
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

interface ActiveConversation {
  id: string;
  updated_at: string;
  /** Number of active skills in it. */
  active: number;
}

/** Yields conversations with active skills in batches; one query for all would take too long. */
async function* activeConversations(database: Database): AsyncGenerator<ActiveConversation[]> {
  for (let last = ''; ; await yieldToEventLoop()) {
    const next = database
      .selectFrom('activations')
      .select(({ fn }) => ['conversation_id', fn.countAll<number | string | bigint>().as('active')])
      .where('ended_at', 'is', null)
      .where('conversation_id', '>', last)
      .groupBy('conversation_id')
      .orderBy('conversation_id')
      .limit(batchSize)
      .as('next');
    const rows = await database
      .selectFrom(next)
      .innerJoin('conversations', 'conversations.id', 'next.conversation_id')
      .select(['conversations.id', 'conversations.updated_at', 'next.active'])
      .orderBy('conversations.id')
      .execute();
    const end = rows.at(-1);
    if (!end) {
      return;
    }
    yield rows.map((row) => ({ ...row, active: Number(row.active) }));
    last = end.id;
  }
}

async function endIn(
  database: Database,
  conversations: readonly ActiveConversation[],
  { isLifetime }: { isLifetime: boolean },
): Promise<void> {
  if (conversations.length === 0) {
    return;
  }
  let ending = database
    .updateTable('activations')
    .set({
      ended_at: new Date().toISOString(),
      end_reason: 'limit' satisfies EndReason,
      ended_in: null,
      text: null,
    })
    .where('conversation_id', 'in', inList(conversations.map(({ id }) => id)))
    .where('ended_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('id')
            .whereRef('messages.conversation_id', '=', 'activations.conversation_id')
            .where('status', '=', 'running'),
        ),
      ),
    );
  if (isLifetime) {
    ending = ending.where('via', '<>', 'app');
  }
  await ending.execute();
}

/**
 * Activations that ended by a limit between two messages and did not become active again. The user is told about them
 * with the next answer.
 */
export function findUnreportedExpirations({
  activations,
  messages,
  earlier,
}: Records): ActivationRecord[] {
  const loadedFrom = (earlier && messages[0]?.createdAt) ?? '';
  const newest = new Map(activations.map((record) => [record.activation.name, record]));
  return [...newest.values()].filter(({ activation, messageId, end }) => {
    if (end?.reason !== 'limit' || end.inTurnOf !== undefined) {
      return false;
    }
    // Ends from before the loaded messages were reported by turns that are not loaded, or by the first loaded one.
    if ((end.at ?? loadedFrom) < loadedFrom) {
      return false;
    }
    const startedAt = messages.findIndex(({ id }) => id === messageId);
    return !messages
      .slice(Math.max(0, startedAt))
      .some(
        (message) =>
          message.role === 'assistant' &&
          message.ended.some(({ name, reason }) => name === activation.name && reason === 'limit'),
      );
  });
}

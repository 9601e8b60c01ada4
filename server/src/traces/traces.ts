import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { TurnObserver } from '../chat/observe-turn.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { daysAgo } from '../lib/days-ago.ts';
import { ignore } from '../lib/ignore.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/open-database.ts';
import { buildTrace } from './build-trace.ts';
import type { WholeTrace } from './stored-trace.ts';
import { createTraceQueue, type WaitingTurn } from './trace-queue.ts';
import { loadTrace, packText, removeTraces, storePart, storeTrace } from './trace-rows.ts';
import type { TracePart } from './trace-settings.ts';

/** What the model saw, for each answer and for a while; of temporary conversations nothing. */
export interface Traces {
  observe: TurnObserver;
  /** Also of a turn under way on this node. Undefined when there is none, or none any more. */
  read(messageId: string): Promise<WholeTrace | undefined>;
  /** Days that traces are kept; 0 for none. */
  days(): number;
  /** Stores what is still to be stored. */
  close(): Promise<void>;
}

interface Options {
  database: Database;
  cluster: Cluster;
  days: () => number;
  /** Keys and the like: none of them is stored, wherever it comes from. */
  secrets: () => readonly string[];
  log: Log;
}

const flushMs = 1000;
/** More than come in a second. */
const mostWaiting = 5000;
const atOnce = 5;
/** Once an hour. */
const purgeCron = '23 * * * *';
const mostKnown = 5000;

/**
 * Gathers traces while turns go on and stores those of a second together: a turn only hands over what it has
 * recorded anyway.
 */
export function createTraces({ database, cluster, days, secrets, log }: Options): Traces {
  const turns = createTraceQueue(mostWaiting);
  const known = new Map<string, string>();
  let writing: Promise<void> = Promise.resolve();
  const flush = (wanted?: string): Promise<void> => {
    const { waiting, dropped } = turns.take(wanted);
    if (dropped > 0) {
      log.warn({ traces: dropped }, 'traces were dropped: more turns ended than can be stored');
    }
    if (waiting.length > 0) {
      writing = writing
        .then(() => storeAll(waiting, { database, secrets: secrets(), known }))
        .catch((error: unknown) => log.error({ error }, 'traces could not be stored'));
    }
    return writing;
  };
  const timer = setInterval(() => {
    flush().catch(ignore);
  }, flushMs);
  timer.unref();
  const job = cluster.oneNode('traces', purgeCron, async (lost) => {
    const before = { before: isoOf(daysAgo(days())), partsBefore: dayOf(daysAgo(days() + 1)) };
    await removeTraces(database, before, lost);
    known.clear();
  });
  return {
    observe: (turn) =>
      days() === 0 || isTemporary(turn.start.conversation.id)
        ? () => undefined
        : turns.observe(turn),
    days,
    read: async (messageId) => {
      await flush(messageId);
      return loadTrace(database, messageId, isoOf(daysAgo(days())));
    },
    close: async () => {
      clearInterval(timer);
      job.stop();
      await flush();
    },
  };
}

interface Storing {
  database: Database;
  secrets: readonly string[];
  /** The day on which a part was last stored, by its checksum: it is not stored again on that day. */
  known: Map<string, string>;
}

async function storeAll(
  waiting: readonly WaitingTurn[],
  { database, secrets, known }: Storing,
): Promise<void> {
  const day = dayOf(Date.now());
  const clean = (content: unknown) => jsonWithout(secrets, content);
  const parts = new Map<string, TracePart>();
  const packed: Promise<{ messageId: string; at: string; bytes: Uint8Array }>[] = [];
  for (const [index, { turn, at, ms }] of waiting.entries()) {
    if (index % atOnce === atOnce - 1) {
      await yieldToEventLoop();
    }
    const built = buildTrace(turn, { at, ms });
    for (const part of built.parts.filter(({ checksum }) => known.get(checksum) !== day)) {
      parts.set(part.checksum, part);
    }
    const messageId = turn.start.answer.id;
    packed.push(
      packText(clean(built.trace)).then((bytes) => ({
        messageId,
        at: isoOf(at),
        bytes,
      })),
    );
  }
  const rows = await Promise.all(packed);
  const newParts = await Promise.all(
    [...parts.values()].map(async ({ checksum, json }) => ({
      checksum,
      day,
      bytes: await packText(secrets.length > 0 ? clean(JSON.parse(json)) : json),
    })),
  );
  await database.transaction().execute(async (write) => {
    for (const part of newParts) {
      await storePart(write, part);
    }
    for (const row of rows) {
      await storeTrace(write, row);
    }
  });
  noteKnown(known, newParts);
}

function noteKnown(
  known: Map<string, string>,
  parts: readonly { checksum: string; day: string }[],
): void {
  if (known.size > mostKnown) {
    known.clear();
  }
  for (const { checksum, day } of parts) {
    known.set(checksum, day);
  }
}

/** In its texts alone: in JSON a secret may be written in another way, or be the name of a field. */
function jsonWithout(secrets: readonly string[], content: unknown): string {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string'
      ? secrets.reduce((text, secret) => text.replaceAll(secret, '***'), value)
      : value;
  return JSON.stringify(content, secrets.length > 0 ? clean : undefined);
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

function dayOf(time: number): string {
  return isoOf(time).slice(0, 10);
}

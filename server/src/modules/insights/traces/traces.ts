import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { PreparedTurn, TurnObserver } from '../../chat/index.ts';
import { buildTrace } from './build-trace.ts';
import type { WholeTrace } from './stored-trace.ts';
import { loadTrace, packText, removeTraces, storePart, storeTrace } from './trace-rows.ts';
import type { TracePart } from './trace-settings.ts';

/** Records what the model saw, for each answer and a limited time. Temporary conversations are not recorded. */
export interface Traces {
  observe: TurnObserver;
  /** Also reads a running turn of this node. Undefined if there is no trace, or if it has expired. */
  read(messageId: string): Promise<WholeTrace | undefined>;
  /** Retention in days; 0 if traces are off. */
  days(): number;
  /** Flushes the queue. */
  close(): Promise<void>;
}

interface Options {
  database: Database;
  cluster: Cluster;
  days: () => number;
  /** API keys and other secrets; they are redacted in all texts before storage. */
  secrets: () => readonly string[];
  log: Log;
}

const flushMs = 1000;
/** Maximum queue length; more than the turns of one second. */
const maxQueued = 5000;
const batchSize = 5;
/** Once an hour. */
const purgeCron = '23 * * * *';
const maxKnownParts = 5000;

/** Collects turns and stores their traces once per second in one transaction, so that turns are not delayed. */
export function createTraces({ database, cluster, days, secrets, log }: Options): Traces {
  const turns = createTraceQueue(maxQueued);
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
    const before = { before: toIso(daysAgo(days())), partsBefore: toDay(daysAgo(days() + 1)) };
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
      return loadTrace(database, messageId, toIso(daysAgo(days())));
    },
    close: async () => {
      clearInterval(timer);
      job.stop();
      await flush();
    },
  };
}

interface StoreContext {
  database: Database;
  secrets: readonly string[];
  /** Day on which a part was last stored, by checksum; it is not stored twice a day. */
  known: Map<string, string>;
}

async function storeAll(
  waiting: readonly WaitingTurn[],
  { database, secrets, known }: StoreContext,
): Promise<void> {
  const day = toDay(Date.now());
  const clean = (content: unknown) => redactedJson(secrets, content);
  const parts = new Map<string, TracePart>();
  const packed: Promise<{ messageId: string; at: string; bytes: Uint8Array }>[] = [];
  for (const [index, { turn, at, ms }] of waiting.entries()) {
    if (index % batchSize === batchSize - 1) {
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
        at: toIso(at),
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
  rememberParts(known, newParts);
}

function rememberParts(
  known: Map<string, string>,
  parts: readonly { checksum: string; day: string }[],
): void {
  if (known.size > maxKnownParts) {
    known.clear();
  }
  for (const { checksum, day } of parts) {
    known.set(checksum, day);
  }
}

/** Redacts string values only: in the JSON text, a secret might be escaped or match a key. */
function redactedJson(secrets: readonly string[], content: unknown): string {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string'
      ? secrets.reduce((text, secret) => text.replaceAll(secret, '***'), value)
      : value;
  return JSON.stringify(content, secrets.length > 0 ? clean : undefined);
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

function toDay(time: number): string {
  return toIso(time).slice(0, 10);
}

/** A turn whose trace must be stored. */
interface WaitingTurn {
  turn: PreparedTurn;
  /** Start in milliseconds since 1970, and duration so far. */
  at: number;
  ms: number;
}

interface TrackedTurn {
  turn: PreparedTurn;
  at: number;
  began: number;
  /** Number of steps stored so far. */
  taken: number;
}

interface TraceQueue {
  observe: TurnObserver;
  /**
   * Takes the ended turns, long-running turns with new steps, and the one whose answer ID is `wanted`. Also returns
   * how many were dropped.
   */
  take(wanted: string | undefined): { waiting: WaitingTurn[]; dropped: number };
}

/** Longer turns are stored while they run, in case the server crashes. */
const longMs = 2000;

function createTraceQueue(maxQueued: number): TraceQueue {
  const running = new Map<string, TrackedTurn>();
  let ended: WaitingTurn[] = [];
  let dropped = 0;
  const takeLongRunning = (wanted: string | undefined): WaitingTurn[] =>
    [...running.entries()].flatMap(([id, each]) => {
      const { turn, at, began } = each;
      const ms = performance.now() - began;
      const { length } = turn.steps;
      if (id !== wanted && (ms < longMs || length === each.taken)) {
        return [];
      }
      each.taken = length;
      return [{ turn, at, ms }];
    });
  return {
    observe: (turn) => {
      const { id } = turn.start.answer;
      running.set(id, { turn, at: Date.now(), began: performance.now(), taken: 0 });
      return ({ at, ms }) => {
        running.delete(id);
        if (ended.length < maxQueued) {
          ended.push({ turn, at, ms });
        } else {
          dropped += 1;
        }
      };
    },
    take: (wanted) => {
      const taken = { waiting: [...ended, ...takeLongRunning(wanted)], dropped };
      ended = [];
      dropped = 0;
      return taken;
    },
  };
}

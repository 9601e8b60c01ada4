import { sql, type Transaction } from 'kysely';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { TurnFacts, Use } from './turn-facts.ts';

/** Write-behind queue for metrics rows, so that turns do not wait for the database. */
export interface FactQueue {
  add(fact: Fact): void;
  /** Resolves once everything added before is stored, or has failed. */
  flush(): Promise<void>;
}

export type Fact = ({ type: 'turn' } & TurnFacts) | LateUse | SkillEnd;

/** Model usage of an answer that was recorded earlier, such as for its title. */
export interface LateUse {
  type: 'use';
  messageId: string;
  use: Use;
}

/** A skill that the user ended between two turns. */
export interface SkillEnd {
  type: 'end';
  conversationId: string;
  skill: string;
}

const flushMs = 1000;
/** Maximum queue length; if the database is unavailable for longer, the oldest entries are dropped. */
const maxQueued = 10_000;

/** Stores queued entries once per second in one transaction. */
export function createFactQueue(database: Database, log: Log): FactQueue {
  let waiting: Fact[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const store = async () => {
    const facts = waiting;
    waiting = [];
    try {
      await insert(database, facts);
    } catch (error) {
      log.warn({ error }, 'metrics of turns could not be stored');
      waiting = [...facts, ...waiting].slice(-maxQueued);
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(() => (waiting.length > 0 ? store() : undefined));
    return storing;
  };
  return {
    add: (fact) => {
      waiting.push(fact);
      if (waiting.length > maxQueued) {
        waiting.shift();
      }
      timer ??= setTimeout(() => {
        flush().catch(ignore);
      }, flushMs).unref();
    },
    flush,
  };
}

/** Row by row, so that the statements are always the same and compiled only once. */
async function insert(database: Database, facts: readonly Fact[]): Promise<void> {
  const turns = facts.flatMap((fact) => (fact.type === 'turn' ? [fact] : []));
  const ends = facts.filter((fact) => fact.type === 'end');
  await database.transaction().execute(async (write) => {
    for (const row of turns.map(({ turn }) => turn)) {
      const into = write.insertInto('turn_facts').values(row);
      await into.onConflict((conflict) => conflict.doNothing()).execute();
    }
    for (const row of turns.flatMap(({ skills }) => skills)) {
      const into = write.insertInto('skill_facts').values(row);
      await into.onConflict((conflict) => conflict.doNothing()).execute();
    }
    for (const late of facts) {
      if (late.type === 'use') {
        await addUse(write, late);
      }
    }
    for (const { conversationId, skill } of ends) {
      // Attributed to the last answer before.
      await sql`
        insert into skill_facts
        select message_id, ${skill}, 'ended', 'user', 1, 0 from turn_facts
        where conversation_id = ${conversationId} order by at desc limit 1
        on conflict (message_id, skill, event, detail) do update set times = skill_facts.times + 1
      `.execute(write);
    }
  });
}

/** Costs in another currency than the answer's are ignored, because they cannot be summed. */
async function addUse(write: Transaction<Schema>, { messageId, use }: LateUse): Promise<void> {
  const { cost = null, currency = null } = use;
  await sql`
    update turn_facts set
      input_tokens = input_tokens + ${use.input_tokens},
      cached_tokens = cached_tokens + ${use.cached_tokens},
      output_tokens = output_tokens + ${use.output_tokens},
      cost = case when coalesce(currency, ${currency}) = ${currency}
        then coalesce(cost, 0) + ${cost} else cost end,
      currency = coalesce(currency, ${currency})
    where message_id = ${messageId}`.execute(write);
}

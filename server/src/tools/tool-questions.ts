import type { Cluster } from '../cluster/cluster.ts';
import type { Database } from '../storage/open-database.ts';

/** What turns have asked their users, and wait for: in the database, whichever process is answered. */
export interface ToolQuestions {
  /** Asks; the question can be answered when this resolves. */
  open(question: OpenQuestion): Promise<PendingQuestion>;
  /** False when nothing waits for an answer under that name, or not any more. */
  answer(conversationId: string, id: string, answer: unknown): Promise<boolean>;
}

interface OpenQuestion {
  conversationId: string;
  /** No other of the conversation that is open. */
  id: string;
  /** Milliseconds. */
  patience: number;
  signal: AbortSignal;
}

interface PendingQuestion {
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** What was answered; undefined when nobody did in time. Rejects with the reason of the signal. */
  answered: Promise<unknown>;
}

const topic = 'tool-answer';

/** @param databaseOf where what is asked in a conversation is */
export function createToolQuestions(
  databaseOf: (conversationId: string) => Database,
  cluster: Cluster,
): ToolQuestions {
  return {
    open: async ({ conversationId, id, patience, signal }) => {
      const database = databaseOf(conversationId);
      const expiresAt = new Date(Date.now() + patience).toISOString();
      const key = { conversation_id: conversationId, id };
      const row = { ...key, expires_at: expiresAt, answer: null };
      // Also what a process that is gone has waited for.
      await database
        .deleteFrom('tool_questions')
        .where('expires_at', '<', new Date().toISOString())
        .execute();
      await database
        .insertInto('tool_questions')
        .values(row)
        .onConflict((conflict) => conflict.columns(['conversation_id', 'id']).doUpdateSet(row))
        .execute();
      const close = async () => {
        const closed = await database
          .deleteFrom('tool_questions')
          .where('conversation_id', '=', conversationId)
          .where('id', '=', id)
          .returning('answer')
          .executeTakeFirst();
        return typeof closed?.answer === 'string'
          ? (JSON.parse(closed.answer) as unknown)
          : undefined;
      };
      const isAnswered = () => hasAnswer(database, key);
      const heard = whenHeard(cluster, keyOf(conversationId, id), { patience, signal, isAnswered });
      return {
        expiresAt,
        answered: heard.then(close).then((answer) => {
          signal.throwIfAborted();
          return answer;
        }),
      };
    },
    answer: async (conversationId, id, answer) => {
      const { numUpdatedRows } = await databaseOf(conversationId)
        .updateTable('tool_questions')
        .set({ answer: JSON.stringify(answer) })
        .where('conversation_id', '=', conversationId)
        .where('id', '=', id)
        .where('answer', 'is', null)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      const isTaken = numUpdatedRows > 0n;
      if (isTaken) {
        await cluster.publish(topic, keyOf(conversationId, id));
      }
      return isTaken;
    },
  };
}

async function hasAnswer(
  database: Database,
  { conversation_id, id }: { conversation_id: string; id: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('tool_questions')
    .select('answer')
    .where('conversation_id', '=', conversation_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return typeof row?.answer === 'string';
}

function keyOf(conversationId: string, id: string): string {
  return `${conversationId} ${id}`;
}

interface Waiting extends Pick<OpenQuestion, 'patience' | 'signal'> {
  isAnswered: () => Promise<boolean>;
}

/** Resolves when the answer is there, the time is over, or the signal aborts. */
function whenHeard(
  cluster: Cluster,
  key: string,
  { patience, signal, isAnswered }: Waiting,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      leave();
      resolve();
    };
    const hear = (message: string) => {
      if (message === key) {
        done();
      }
    };
    const look = () => isAnswered().then((isThere) => isThere && done());
    const leave = cluster.subscribe(topic, hear, () => {
      look().catch(() => undefined);
    });
    const timer = setTimeout(done, patience);
    signal.addEventListener('abort', done);
    if (signal.aborted) {
      done();
    }
  });
}

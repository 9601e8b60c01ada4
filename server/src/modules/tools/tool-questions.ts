import type { Cluster } from '../../platform/cluster/cluster.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/**
 * Pending questions of turns, stored in the database, so that any process can receive the answer.
 */
export interface ToolQuestions {
  /** Opens a question; it can be answered once this resolves. */
  open(question: OpenQuestion): Promise<PendingQuestion>;
  /** False if no such question is pending. */
  answer(conversationId: string, id: string, answer: unknown): Promise<boolean>;
}

interface OpenQuestion {
  conversationId: string;
  /** Unique among the conversation's open questions. */
  id: string;
  /** Milliseconds. */
  answerTimeoutMs: number;
  signal: AbortSignal;
}

interface PendingQuestion {
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** The answer; undefined on timeout. Rejects with the signal's reason. */
  answered: Promise<unknown>;
}

const topic = 'tool-answer';

/** @param databaseOf the database that holds a conversation */
export function createToolQuestions(
  databaseOf: (conversationId: string) => Database,
  cluster: Cluster,
): ToolQuestions {
  return {
    open: async ({ conversationId, id, answerTimeoutMs, signal }) => {
      const database = databaseOf(conversationId);
      const expiresAt = new Date(Date.now() + answerTimeoutMs).toISOString();
      const key = { conversation_id: conversationId, id };
      const row = { ...key, expires_at: expiresAt, answer: null };
      // Also deletes expired questions of crashed processes.
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
      const settled = waitForAnswer(cluster, keyOf(conversationId, id), {
        answerTimeoutMs,
        signal,
        isAnswered,
      });
      return {
        expiresAt,
        answered: settled.then(close).then((answer) => {
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
      const isAccepted = numUpdatedRows > 0n;
      if (isAccepted) {
        await cluster.publish(topic, keyOf(conversationId, id));
      }
      return isAccepted;
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

interface Waiting extends Pick<OpenQuestion, 'answerTimeoutMs' | 'signal'> {
  isAnswered: () => Promise<boolean>;
}

/** Resolves on an answer, on timeout, or when the signal aborts. */
function waitForAnswer(
  cluster: Cluster,
  key: string,
  { answerTimeoutMs, signal, isAnswered }: Waiting,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    };
    const hear = (message: string) => {
      if (message === key) {
        done();
      }
    };
    const look = () => isAnswered().then((isThere) => isThere && done());
    const unsubscribe = cluster.subscribe(topic, hear, () => {
      look().catch(() => undefined);
    });
    const timer = setTimeout(done, answerTimeoutMs);
    signal.addEventListener('abort', done);
    if (signal.aborted) {
      done();
    }
  });
}

import { randomUUID } from 'node:crypto';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../cluster/cluster.ts';
import { answerTurn } from './answer-turn.ts';
import { findApp } from './find-app.ts';
import type { TurnRequest } from './prepare-turn.ts';
import { hasRunningComparison } from './take-conversation.ts';

interface Asked extends Omit<TurnRequest, 'body' | 'line' | 'program'> {
  body: { question: string; model: string };
}

type Dependencies = Parameters<typeof answerTurn>[1] & { cluster: Pick<Cluster, 'withLock'> };

/**
 * Begins a second answer to the last question of a conversation, which may still be answered there: a turn in a line
 * of its own, which is put away from its beginning; answers the id of that. Throws `not-found` where that is not the last question of a
 * conversation of the caller's.
 */
export async function startComparisonAnswer(
  asked: Asked,
  dependencies: Dependencies,
): Promise<{ line: string; ended: Promise<void> }> {
  const { caller, conversationId, appId } = asked;
  findApp(appId, caller, dependencies.contents());
  // Of two at once, the later one finds the answer of the first.
  return dependencies.cluster.withLock(`beside ${caller.id} ${conversationId}`, () =>
    answerAlone(asked, dependencies),
  );
}

async function answerAlone({ body, ...request }: Asked, dependencies: Dependencies) {
  const { caller, conversationId } = request;
  const { conversations } = dependencies;
  const asked = await conversations.findLastQuestion(caller.id, {
    id: conversationId,
    question: body.question,
  });
  if (!asked) {
    throw problem(
      'not-found',
      'This is not the last question of a conversation here. Reload the page.',
    );
  }
  if (await hasRunningComparison(conversationId, dependencies)) {
    throw problem(
      'turn-running',
      'A second answer is being written here already. Wait for it, or stop it first.',
    );
  }
  const { content: message, skills, attachments = [] } = asked;
  const turn = {
    ...{ message, skills, model: body.model, replaces: asked.id },
    attachments: attachments.map(({ id }) => id),
  };
  const line = idIn(conversationId);
  const { ended } = await answerTurn({ ...request, line, body: turn }, dependencies);
  return { line, ended };
}

/** Of a temporary conversation, its id says that it is in memory. */
function idIn(conversationId: string): string {
  const id = randomUUID();
  return isTemporary(conversationId) ? `${id.slice(0, 14)}8${id.slice(15)}` : id;
}

import { randomUUID } from 'node:crypto';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import { answerTurn } from './answer-turn.ts';
import { findApp } from './find-app.ts';
import type { TurnRequest } from './prepare-turn.ts';
import { hasRunningComparison } from './take-conversation.ts';

interface ComparisonRequest extends Omit<TurnRequest, 'body' | 'line' | 'program'> {
  body: { question: string; model: string };
}

type Dependencies = Parameters<typeof answerTurn>[1] & { cluster: Pick<Cluster, 'withLock'> };

/**
 * Starts a second answer to the last question of a conversation, even while that is still being answered. It runs as
 * a turn in a branch of its own, which starts archived; returns that branch's ID. Throws `not-found` unless it is the
 * last question of a conversation of the caller.
 */
export async function startComparisonAnswer(
  question: ComparisonRequest,
  dependencies: Dependencies,
): Promise<{ line: string; ended: Promise<void> }> {
  const { caller, conversationId, appId } = question;
  findApp(appId, caller, dependencies.contents());
  // Serialised, so that the later of two concurrent requests sees the first one's branch.
  return dependencies.cluster.withLock(`comparison ${caller.id} ${conversationId}`, () =>
    answerLocked(question, dependencies),
  );
}

async function answerLocked({ body, ...request }: ComparisonRequest, dependencies: Dependencies) {
  const { caller, conversationId } = request;
  const { conversations } = dependencies;
  const question = await conversations.findLastQuestion(caller.id, {
    id: conversationId,
    question: body.question,
  });
  if (!question) {
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
  const { content: message, skills, attachments = [] } = question;
  const turn = {
    message,
    skills,
    model: body.model,
    replaces: question.id,
    attachments: attachments.map(({ id }) => id),
  };
  const comparisonBranch = createBranchId(conversationId);
  const { ended } = await answerTurn({ ...request, comparisonBranch, body: turn }, dependencies);
  return { line: comparisonBranch, ended };
}

/** Generates a branch ID; for a temporary conversation, the ID marks the branch as temporary too. */
function createBranchId(conversationId: string): string {
  const id = randomUUID();
  return isTemporary(conversationId) ? `${id.slice(0, 14)}8${id.slice(15)}` : id;
}

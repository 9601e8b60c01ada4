import { problem } from '@knowhow/shared/problem';
import { watchAccess } from '../access/watch-access.ts';
import type { Log } from '../lib/log.ts';
import { findApp } from './find-app.ts';
import { prepareTurn, type TurnDependencies, type TurnRequest } from './prepare-turn.ts';
import { runTurn } from './run-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import { findOwnConversation } from './turn-checks.ts';

interface Dependencies extends TurnDependencies {
  runningTurns: RunningTurns;
}

/**
 * A turn from its checks to its end, alone in its conversation. That another one is running is reported
 * only to whom the conversation belongs.
 *
 * @param gone aborts when nobody reads the answer any more
 */
export async function answerTurn(
  request: TurnRequest,
  dependencies: Dependencies & {
    /** A log whose lines say whose turn it is. */
    logFor: (model: string) => Log;
  },
  gone: AbortSignal,
): Promise<ReturnType<typeof runTurn>> {
  const { contents, runningTurns } = dependencies;
  const { caller, appId, conversationId } = request;
  findApp(appId, caller, contents());
  const turn = await runningTurns.begin({ conversationId, appId, owner: caller.id });
  if (!turn) {
    await checkConversation(request, dependencies);
    throw problem(
      'turn-running',
      'This conversation is already being answered. Wait for the answer, or stop it first.',
    );
  }
  abortWith(gone, turn.abort);
  const { signal } = turn.abort;
  try {
    const prepared = await prepareTurn(request, dependencies);
    const endWatch = watchAccess(prepared.access, (why) => turn.abort.abort(why));
    const log = dependencies.logFor(prepared.start.conversation.model);
    return endAfter(runTurn(prepared, { ...dependencies, log, signal }), () => {
      endWatch();
      return turn.end();
    });
  } catch (error) {
    await turn.end();
    throw error;
  }
}

type Conversation = Pick<TurnRequest, 'appId' | 'conversationId' | 'caller'>;

/** Asks the turn of a conversation to stop; false when none is running. Throws as `checkConversation` does. */
export async function stopTurn(
  conversation: Conversation,
  dependencies: Dependencies,
): Promise<boolean> {
  await checkConversation(conversation, dependencies);
  const { conversationId, caller } = conversation;
  return dependencies.runningTurns.stop(conversationId, caller.id);
}

/**
 * Throws `not-found` unless the caller has this conversation in this app: stored, or just begun by
 * a turn that is still being prepared.
 */
async function checkConversation(
  { appId, conversationId, caller }: Conversation,
  { contents, conversations, runningTurns }: Dependencies,
): Promise<void> {
  const app = findApp(appId, caller, contents());
  const running = await runningTurns.find(conversationId);
  if (running?.owner === caller.id && running.appId === appId) {
    return;
  }
  if (!(await findOwnConversation(conversations, caller, conversationId, app))) {
    throw problem('not-found', 'There is no such conversation in this app.');
  }
}

/** @param gone may have been aborted before */
function abortWith(gone: AbortSignal, abort: AbortController): void {
  gone.addEventListener('abort', () => abort.abort(), { once: true });
  if (gone.aborted) {
    abort.abort();
  }
}

async function* endAfter<Event>(
  events: AsyncGenerator<Event, void>,
  end: () => Promise<void>,
): AsyncGenerator<Event, void> {
  try {
    yield* events;
  } finally {
    await end();
  }
}

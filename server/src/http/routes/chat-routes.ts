import { chatApi } from '@knowhow/shared/chat';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { watchAccess } from '../../access/watch-access.ts';
import { findApp } from '../../chat/find-app.ts';
import { prepareTurn, type TurnDependencies, type TurnRequest } from '../../chat/prepare-turn.ts';
import { runTurn } from '../../chat/run-turn.ts';
import type { RunningTurns } from '../../chat/running-turns.ts';
import { findOwnConversation } from '../../chat/turn-checks.ts';
import type { Log } from '../../lib/log.ts';
import { addFacts } from '../request-facts.ts';
import { route } from '../route.ts';
import { sessionOf } from '../session.ts';
import { stream } from '../stream.ts';

interface Dependencies extends TurnDependencies {
  runningTurns: RunningTurns;
  log: Log;
}

export function chatRoutes(router: Router, dependencies: Dependencies): void {
  stream(router, chatApi.turn, async ({ params, body, caller, language, request }, { signal }) => {
    const { callerNow } = sessionOf(request);
    if (body.user !== undefined && body.user !== caller.id) {
      throw problem('not-signed-in', 'You are not signed in any more. Sign in and send it again.');
    }
    addFacts(request, { conversation: params.conversationId });
    const logFor = (model: string) => dependencies.log.child(addFacts(request, { model }));
    const turn = { ...params, body, caller, callerNow, language };
    return oneTurn(turn, { ...dependencies, logFor }, signal);
  });

  route(router, chatApi.stop, async ({ params, caller }) => {
    await checkConversation({ ...params, caller }, dependencies);
    return { stopped: await dependencies.runningTurns.stop(params.conversationId, caller.id) };
  });
}

type Conversation = Pick<TurnRequest, 'appId' | 'conversationId' | 'caller'>;

/**
 * Throws `not-found` unless the caller has this conversation in this app: stored, or just begun by
 * a turn that is still being prepared.
 */
async function checkConversation(
  { appId, conversationId, caller }: Conversation,
  dependencies: Dependencies,
) {
  const { contents, conversations, runningTurns } = dependencies;
  const app = findApp(appId, caller, contents());
  const running = await runningTurns.find(conversationId);
  if (running?.owner === caller.id && running.appId === appId) {
    return;
  }
  if (!(await findOwnConversation(conversations, caller, conversationId, app))) {
    throw problem('not-found', 'There is no such conversation in this app.');
  }
}

/**
 * A turn from its checks to its end, alone in its conversation. That another one is running is reported
 * only to whom the conversation belongs.
 */
async function oneTurn(
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

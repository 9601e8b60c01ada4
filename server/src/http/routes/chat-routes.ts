import { chatApi } from '@knowhow/shared/chat';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { prepareTurn, type TurnDependencies, type TurnRequest } from '../../chat/prepare-turn.ts';
import { runTurn } from '../../chat/run-turn.ts';
import type { RunningTurns } from '../../chat/running-turns.ts';
import type { Log } from '../../lib/log.ts';
import { route } from '../route.ts';
import { stream } from '../stream.ts';

interface Dependencies extends TurnDependencies {
  runningTurns: RunningTurns;
  log: Log;
}

export function chatRoutes(router: Router, dependencies: Dependencies): void {
  const { conversations, runningTurns } = dependencies;

  stream(router, chatApi.turn, async ({ params, body, caller, language }, { signal }) =>
    oneTurn({ ...params, body, caller, language }, dependencies, signal),
  );

  route(router, chatApi.stop, async ({ params, caller }) => {
    if (!(await conversations.find(caller.id, params.conversationId))) {
      throw problem('not-found', 'There is no such conversation.');
    }
    return { stopped: runningTurns.stop(params.conversationId) };
  });
}

/** A turn from its checks to its end, alone in its conversation. */
async function oneTurn(
  request: TurnRequest,
  { runningTurns, ...dependencies }: Dependencies,
  gone: AbortSignal,
): Promise<ReturnType<typeof runTurn>> {
  const turn = runningTurns.begin(request.conversationId);
  gone.addEventListener('abort', () => turn.abort.abort(), { once: true });
  try {
    const prepared = await prepareTurn(request, dependencies);
    return endAfter(runTurn(prepared, { ...dependencies, signal: turn.abort.signal }), turn.end);
  } catch (error) {
    turn.end();
    throw error;
  }
}

async function* endAfter<Event>(
  events: AsyncGenerator<Event, void>,
  end: () => void,
): AsyncGenerator<Event, void> {
  try {
    yield* events;
  } finally {
    end();
  }
}

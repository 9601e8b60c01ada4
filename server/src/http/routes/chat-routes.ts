import { chatApi } from '@knowhow/shared/chat';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { answerTurn, stopTurn } from '../../chat/answer-turn.ts';
import type { TurnDependencies } from '../../chat/prepare-turn.ts';
import type { RunningTurns } from '../../chat/running-turns.ts';
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
    return answerTurn(turn, { ...dependencies, logFor }, signal);
  });

  route(router, chatApi.stop, async ({ params, caller }) => ({
    stopped: await stopTurn({ ...params, caller }, dependencies),
  }));
}

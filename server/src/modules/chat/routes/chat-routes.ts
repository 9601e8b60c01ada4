import { chatApi } from '@knowhow/shared/chat/chat';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { holdSlotUntil } from '../../../platform/http/limit-streams.ts';
import { getTraceparent } from '../../../platform/http/observe-requests.ts';
import { addLogFields } from '../../../platform/http/request-log-fields.ts';
import { type Call, endOnAccessLoss, route } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import { stream } from '../../../platform/http/stream.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { PersonalDataStore, Quotas } from '../../identity/index.ts';
import { type AnswerDependencies, answerTurn, findTurnEvents, stopTurn } from '../answer-turn.ts';
import type { TurnReader } from '../events/turn-readers.ts';
import type { TurnObserver } from '../observe-turn.ts';
import type { TurnRequest } from '../prepare-turn.ts';
import { startComparisonAnswer } from '../start-comparison-answer.ts';
import type { TurnLimits } from '../turn-limits.ts';

interface Dependencies extends AnswerDependencies {
  cluster: Cluster;
  turnLimits: () => TurnLimits;
  observers: readonly TurnObserver[];
  log: Log;
}

interface Services extends Omit<Dependencies, 'takeTurn' | 'personal'> {
  quotas: Pick<Quotas, 'begin'>;
  personalData: PersonalDataStore;
}

/** Routes for turns. Only they count against quotas, and use what users have entered about themselves. */
export function chatRoutes(router: Router, { quotas, personalData, ...services }: Services): void {
  const dependencies = { ...services, takeTurn: quotas.begin, personal: personalData };
  stream(router, chatApi.turn, async ({ params, body, ...call }) => {
    const { events } = await begin(
      { ...call, params, user: body.user },
      dependencies,
      (turn, context) => answerTurn({ ...turn, body }, context),
    );
    return (reader: TurnReader) => events.follow(0, reader);
  });

  route(router, chatApi.compare, async ({ params, body, ...call }) => {
    const { line } = await begin(
      { ...call, params, user: body.user },
      dependencies,
      (turn, context) => startComparisonAnswer({ ...turn, body }, { ...dependencies, ...context }),
    );
    return { id: line };
  });

  stream(router, chatApi.follow, async ({ params, query, caller, request }) => {
    const events = await findTurnEvents(caller, params.id, dependencies);
    const after = query.after ?? lastEventId(request) ?? 0;
    const isOther = query.answer !== undefined && events?.answer !== query.answer;
    if (!events || isOther || (events.isOver && after >= events.count)) {
      return undefined;
    }
    return (reader: TurnReader) => {
      endOnAccessLoss(chatApi.follow, request);
      return events.follow(after, reader);
    };
  });

  route(router, chatApi.stop, async ({ params, caller }) => ({
    stopped: await stopTurn({ ...params, caller }, dependencies),
  }));
}

interface StartRequest extends Pick<Call<typeof chatApi.turn>, 'params' | 'caller' | 'language'> {
  request: Request;
  /** The user ID the client believes it is signed in as. */
  user: string | undefined;
}

/** Starts an answer, which counts towards the limit of concurrent streams until it ends. */
function begin<Answering extends { ended: Promise<void> }>(
  { params, caller, language, request, user }: StartRequest,
  dependencies: Dependencies,
  answer: (
    turn: Omit<TurnRequest, 'body'>,
    context: Parameters<typeof answerTurn>[1],
  ) => Promise<Answering>,
): Promise<Answering> {
  if (user !== undefined && user !== caller.id) {
    throw problem('not-signed-in', 'You are no longer signed in. Sign in and try again.');
  }
  const { recheck: callerNow } = getSession(request);
  addLogFields(request, { conversation: params.conversationId });
  const logFor = (model: string) => dependencies.log.child(addLogFields(request, { model }));
  const traceparent = getTraceparent(request);
  const turn = { ...params, caller, callerNow, language, traceparent };
  const answering = answer(turn, { ...dependencies, logFor });
  holdSlotUntil(
    request,
    answering.then(
      ({ ended }) => ended,
      () => undefined,
    ),
  );
  return answering;
}

/** Sent by a browser's `EventSource` when it reconnects. */
function lastEventId(request: Request): number | undefined {
  const sent = request.get('Last-Event-ID') ?? '';
  return /^\d{1,15}$/.test(sent) ? Number(sent) : undefined;
}

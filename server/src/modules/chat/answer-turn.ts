import { problem } from '@knowhow/shared/problem';
import type { Log } from '../../platform/lib/log.ts';
import type { ConversationStore } from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import { driveTurn } from './drive-turn.ts';
import { createTurnEvents, type TurnEvents } from './events/turn-events.ts';
import { findApp } from './find-app.ts';
import type { TurnObserver } from './observe-turn.ts';
import { prepareTurn, type TurnDependencies, type TurnRequest } from './prepare-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import { findOwnConversation, turnRunning } from './turn-checks.ts';
import type { TurnLimits } from './turn-limits.ts';

export interface AnswerDependencies extends TurnDependencies {
  conversations: ConversationStore;
  runningTurns: RunningTurns;
}

/** A running turn. It continues even if no client is connected. */
interface StartedAnswer {
  events: TurnEvents;
  ended: Promise<void>;
}

/**
 * Starts a turn once it is checked and stored; at most one runs per conversation. It continues in the background with
 * the caller's rights until it is done, stopped or at a limit. Only the owner learns that another turn is running.
 */
export async function answerTurn(
  request: TurnRequest,
  dependencies: AnswerDependencies & {
    turnLimits: () => TurnLimits;
    observers: readonly TurnObserver[];
    /** Log whose entries identify the turn. */
    logFor: (model: string) => Log;
  },
): Promise<StartedAnswer> {
  const { contents, runningTurns, conversations, observers, turnLimits } = dependencies;
  const { caller, appId, conversationId, comparisonBranch = conversationId } = request;
  findApp(appId, caller, contents());
  const key = { conversationId: comparisonBranch, appId, owner: caller.id };
  const turn = await runningTurns.begin(key);
  if (!turn) {
    await checkConversation(request, dependencies);
    throw turnRunning();
  }
  const { sink: events, ended } = await driveTurn(turn, () => prepareTurn(request, dependencies), {
    conversations,
    observers,
    turnLimits,
    logFor: ({ start }) => dependencies.logFor(start.conversation.model),
    openSink: ({ start }) => createTurnEvents(start.answer.id),
    onStarted: turn.share,
  });
  return { events, ended };
}

/**
 * Events of the conversation's turn; undefined if no turn is running or ended recently. Throws `not-found` unless the
 * caller owns the conversation.
 */
export async function findTurnEvents(
  caller: Caller,
  conversationId: string,
  { conversations, runningTurns }: Pick<AnswerDependencies, 'conversations' | 'runningTurns'>,
): Promise<TurnEvents | undefined> {
  if (!(await conversations.owns(caller.id, conversationId))) {
    throw problem('not-found', 'There is no such conversation.');
  }
  return runningTurns.eventsOf(conversationId, caller.id);
}

type Conversation = Pick<TurnRequest, 'appId' | 'conversationId' | 'caller'>;

/** Asks the running turn of a conversation to stop; false if none is running. Throws as `checkConversation` does. */
export async function stopTurn(
  conversation: Conversation,
  dependencies: AnswerDependencies,
): Promise<boolean> {
  await checkConversation(conversation, dependencies);
  const { conversationId, caller } = conversation;
  return dependencies.runningTurns.stop(conversationId, caller.id);
}

/**
 * Throws `not-found` unless the caller owns this conversation in this app. It may be stored, belong to a turn that is
 * still being prepared, or be an unclaimed comparison branch.
 */
async function checkConversation(
  { appId, conversationId, caller }: Conversation,
  { contents, conversations, runningTurns }: AnswerDependencies,
): Promise<void> {
  const app = findApp(appId, caller, contents());
  const running = await runningTurns.find(conversationId);
  if (running?.owner === caller.id && running.appId === appId) {
    return;
  }
  const isClaimed = (await conversations.claim(caller.id, conversationId)) === 'taken';
  if (isClaimed && (await conversations.owns(caller.id, conversationId))) {
    return;
  }
  if (!(await findOwnConversation(conversations, caller, conversationId, { app }))) {
    throw problem('not-found', 'There is no such conversation in this app.');
  }
}

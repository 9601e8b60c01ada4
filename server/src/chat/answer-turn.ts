import { type Problem, problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { watchAccess } from '../access/watch-access.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { Log } from '../lib/log.ts';
import { createTurnEvents, type TurnEvents } from './events/turn-events.ts';
import { findApp } from './find-app.ts';
import type { TurnObserver } from './observe-turn.ts';
import {
  type PreparedTurn,
  prepareTurn,
  type TurnDependencies,
  type TurnRequest,
} from './prepare-turn.ts';
import { runTurn } from './run-turn.ts';
import type { RunningTurn, RunningTurns } from './running-turns.ts';
import { takeConversation } from './take-conversation.ts';
import { findOwnConversation } from './turn-checks.ts';
import { type TurnLimits, watchLimits } from './turn-limits.ts';

export interface AnswerDependencies extends TurnDependencies {
  conversations: ConversationStore;
  runningTurns: RunningTurns;
}

/** A turn under way, which needs nobody to go on. */
interface Answering {
  events: TurnEvents;
  ended: Promise<void>;
}

interface Surroundings {
  turnLimits: () => TurnLimits;
  observers: readonly TurnObserver[];
  log: Log;
}

/**
 * Begins a turn, alone in its conversation, once it is checked and stored. It goes on by itself, with the
 * rights of who began it, until it is done, is stopped or reaches a limit. That another one is running is
 * reported only to whom the conversation belongs.
 */
export async function answerTurn(
  request: TurnRequest,
  dependencies: AnswerDependencies &
    Omit<Surroundings, 'log'> & {
      /** A log whose lines say whose turn it is. */
      logFor: (model: string) => Log;
    },
): Promise<Answering> {
  const { contents, runningTurns } = dependencies;
  const { caller, appId, conversationId, line = conversationId } = request;
  findApp(appId, caller, contents());
  const key = { conversationId, appId, owner: caller.id };
  const turn =
    line === conversationId
      ? await takeConversation(key, dependencies)
      : await runningTurns.begin({ ...key, conversationId: line });
  if (!turn) {
    await checkConversation(request, dependencies);
    throw problem(
      'turn-running',
      'This conversation is already being answered. Wait for the answer, or stop it first.',
    );
  }
  try {
    const prepared = await prepareTurn(request, dependencies);
    const log = dependencies.logFor(prepared.start.conversation.model);
    return await beginAnswer(turn, prepared, { ...dependencies, log });
  } catch (error) {
    await turn.end();
    throw error;
  }
}

async function beginAnswer(
  turn: RunningTurn,
  prepared: PreparedTurn,
  {
    conversations,
    turnLimits,
    observers,
    log,
  }: Pick<AnswerDependencies, 'conversations'> & Surroundings,
): Promise<Answering> {
  const abort = (why: Problem) => turn.abort.abort(why);
  const endWatch = watchAccess(prepared.access, abort);
  try {
    const { signal } = turn.abort;
    const run = runTurn(prepared, { conversations, log, observers, signal });
    const events = createTurnEvents(prepared.start.answer.id);
    await addNext(run, events);
    turn.share(events);
    const endLimits = watchLimits(events, turnLimits, abort);
    const takeAllAndEnd = async () => {
      try {
        await takeAll(run, events);
      } catch (error) {
        log.error({ error }, 'a turn broke off');
      } finally {
        endLimits();
        endWatch();
        await turn.end();
        events.end();
      }
    };
    return { events, ended: takeAllAndEnd() };
  } catch (error) {
    endWatch();
    throw error;
  }
}

/** The first event: what keeps a turn from beginning is thrown here. */
async function addNext(run: ReturnType<typeof runTurn>, events: TurnEvents): Promise<void> {
  const next = await run.next();
  if (!next.done) {
    await events.add(next.value);
  }
}

async function takeAll(run: ReturnType<typeof runTurn>, events: TurnEvents): Promise<void> {
  for await (const event of run) {
    const rest = events.add(event);
    if (rest) {
      await rest;
    }
  }
}

/**
 * What comes of the conversation's turn; undefined when none is running, nor has ended a moment ago. Throws
 * `not-found` unless the caller has this conversation.
 */
export async function eventsOfTurn(
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

/** Asks the turn of a conversation to stop; false when none is running. Throws as `checkConversation` does. */
export async function stopTurn(
  conversation: Conversation,
  dependencies: AnswerDependencies,
): Promise<boolean> {
  await checkConversation(conversation, dependencies);
  const { conversationId, caller } = conversation;
  return dependencies.runningTurns.stop(conversationId, caller.id);
}

/**
 * Throws `not-found` unless the caller has this conversation in this app: stored, just begun by a turn that is still
 * being prepared, or the line of a second answer, which nobody claims.
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

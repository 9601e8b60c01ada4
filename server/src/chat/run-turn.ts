import type { ChatEvent, FinishReason } from '@knowhow/shared/chat';
import type { AssistantMessage } from '@knowhow/shared/conversations';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Log } from '../lib/log.ts';
import type { AskModel, ModelRequest, ModelToolCall } from '../models/model.ts';
import { databaseProblem } from '../storage/database-problem.ts';
import { runTool } from '../tools/run-tool.ts';
import type { ToolContext, ToolResult } from '../tools/tool.ts';
import type { ConversationStore } from './conversation-store.ts';
import { fail, finish } from './finish-answer.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { renderRequest, toolContext } from './render-request.ts';
import { renewSkills } from './renew-skills.ts';
import { leaseLost, stoppedByUser } from './running-turns.ts';
import { newRound, type Round, takeModelEvent } from './take-model-event.ts';
import { type TurnMessages, turnMessages } from './turn-messages.ts';

interface TurnTools {
  conversations: ConversationStore;
  /** Its lines name user, conversation, request and model. */
  log: Log;
  /** Its reason, where that is a problem, is what the turn ends with. */
  signal: AbortSignal;
}

/** Rounds of tool calls a turn; those that only activate a new skill do not count. */
const maxRounds = 12;
/** How much of an answer a crash may cost. */
const saveEveryMs = 1000;

/**
 * One turn: asks the model, runs its tool calls, asks again, until it is done. Yields what the user
 * is to see; the last event is `done` or `error`. Throws only before the first. The answer is stored
 * once a second and at its end, however it ends.
 */
export async function* runTurn(turn: PreparedTurn, tools: TurnTools): AsyncGenerator<ChatEvent> {
  const { start } = turn;
  await tools.conversations.beginTurn(start);
  yield {
    type: 'session.start',
    conversationId: start.conversation.id,
    messageId: start.answer.id,
    userMessageId: start.user.id,
    model: start.conversation.model,
    activeSkills: [...turn.skills.active.keys()],
  };
  for (const { name, reason } of start.endedSkills) {
    yield { type: 'skill.ended', name, reason };
  }
  for (const activation of start.activations) {
    yield { type: 'skill.activation', ...activation };
  }
  const { answer } = start;
  const stopSaving = saveNowAndThen(answer, tools);
  let last: ChatEvent;
  try {
    const finishReason = yield* answerWithTools(turn, tools);
    last = finish(answer, finishReason);
  } catch (error) {
    last = await endEarly(turn, error, tools);
  } finally {
    stopSaving();
  }
  yield await stored(answer, last, tools);
}

/** The last event, also where the answer is another node's by now; another one when the answer cannot be stored. */
async function stored(
  answer: AssistantMessage,
  last: ChatEvent,
  { conversations, log, signal }: TurnTools,
): Promise<ChatEvent> {
  if (signal.reason === leaseLost) {
    return last;
  }
  try {
    await conversations.saveAnswer(answer);
    return last;
  } catch (error) {
    log.error({ error }, 'an answer could not be stored');
    const why = databaseProblem(error)?.message ?? 'Something went wrong on the server.';
    return { type: 'error', code: 'not-writable', message: `The answer is not stored. ${why}` };
  }
}

async function* answerWithTools(
  turn: PreparedTurn,
  tools: TurnTools,
): AsyncGenerator<ChatEvent, FinishReason> {
  const messages = turnMessages(turn.history);
  const { answer } = turn.start;
  for (let rounds = 0; ; ) {
    const round = newRound();
    const textBefore = answer.content;
    yield* ask(yield* renew(turn, messages, tools), { messages, round, answer }, tools);
    if (round.calls.length === 0) {
      return round.stop === 'length' ? 'length' : 'stop';
    }
    if (rounds >= maxRounds) {
      return 'tool-limit';
    }
    const { calls: toolCalls, vendorState } = round;
    const content = answer.content.slice(textBefore.length);
    messages.addAnswer({ role: 'assistant', content, toolCalls, vendorState });
    let counts = false;
    for (const call of round.calls) {
      const result = yield* runCall(call, turn, yield* renew(turn, messages, tools), tools);
      messages.addResult(call, result);
      counts ||= result.activation === undefined;
    }
    rounds += counts ? 1 : 0;
  }
}

/** What may be done now. */
interface Allowed {
  ask: AskModel;
  request: Omit<ModelRequest, 'messages'>;
  context: ToolContext;
}

/**
 * Finds out what the turn may still do: before each request to the model, and before each call of a
 * tool. Throws the problem that ends it.
 */
async function* renew(
  { access, start, skills, language }: PreparedTurn,
  messages: TurnMessages,
  { conversations, signal }: TurnTools,
): AsyncGenerator<ChatEvent, Allowed> {
  signal.throwIfAborted();
  const { id } = start.conversation;
  const [allowed, stored] = await Promise.all([
    access(),
    conversations.activeNames(start.owner, id),
  ]);
  if (!stored) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  const { usesTools } = allowed;
  const { view } = allowed.offered();
  for (const { name, reason } of await renewSkills({ view, usesTools, stored, skills, messages })) {
    start.answer.ended.push({ name, reason });
    if (reason !== 'user') {
      await conversations.endSkill(start.owner, id, name);
    }
    yield { type: 'skill.ended', name, reason };
  }
  signal.throwIfAborted();
  const request = renderRequest(allowed, skills, language);
  return { ask: allowed.ask, request, context: toolContext(allowed, skills) };
}

interface Asking {
  messages: TurnMessages;
  round: Round;
  answer: AssistantMessage;
}

/** One request to the model. */
async function* ask(
  { ask: askModel, request }: Allowed,
  { messages, round, answer }: Asking,
  { signal, log }: TurnTools,
): AsyncGenerator<ChatEvent> {
  const usageBefore = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
  for await (const event of askModel({ ...request, messages: messages.list() }, signal)) {
    if (event.type === 'retry') {
      log.warn({ error: event.why, waitMs: event.waitMs }, 'the model is asked again');
    }
    const seen = takeModelEvent(event, answer, round, usageBefore);
    if (seen) {
      yield seen;
    }
  }
}

/** Stores what has been added, once a second, also while the model is silent. */
function saveNowAndThen(
  answer: AssistantMessage,
  { conversations, log, signal }: TurnTools,
): () => void {
  let saved = 0;
  const timer = setInterval(() => {
    const length = answer.content.length + answer.thinking.length;
    if (length !== saved && !signal.aborted) {
      saved = length;
      conversations
        .saveAnswer(answer)
        .catch((error: unknown) => log.error({ error }, 'an answer could not be stored'));
    }
  }, saveEveryMs);
  return () => clearInterval(timer);
}

async function* runCall(
  call: ModelToolCall,
  { start }: PreparedTurn,
  { request, context }: Allowed,
  { conversations }: TurnTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const { id, name, input } = call;
  yield { type: 'tool.call.start', id, name, input };
  const result = await runTool(call, request.tools, context);
  const { activation, isError: error, summary } = result;
  if (activation) {
    start.answer.activations.push(activation);
    await conversations.addActivation(start.conversation.id, start.user.id, activation);
    yield { type: 'skill.activation', ...activation };
  }
  start.answer.toolCalls.push({ id, name, input, error, summary });
  yield { type: 'tool.call.end', id, name, ...(error ? { error } : {}), summary };
  return result;
}

/** Ended from outside: by its user, by a right that is lost. Or by what went wrong. */
async function endEarly(
  { start, access }: PreparedTurn,
  error: unknown,
  { signal, log }: TurnTools,
): Promise<ChatEvent> {
  const why: unknown = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(why instanceof Problem)) {
    return finish(start.answer, why === stoppedByUser ? 'aborted' : 'interrupted');
  }
  log.warn({ error: why }, 'a turn failed');
  const isAdmin = await access().then(
    (now) => now.isAdmin,
    () => false,
  );
  return fail(start.answer, why, isAdmin);
}

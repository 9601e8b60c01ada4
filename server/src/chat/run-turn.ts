import type { ChatEvent, FinishReason } from '@knowhow/shared/chat';
import type { AssistantMessage, MessageStatus } from '@knowhow/shared/conversations';
import type { Log } from '../lib/log.ts';
import type { ModelEvent, ModelMessage, ModelToolCall } from '../models/model.ts';
import { databaseProblem } from '../storage/database-problem.ts';
import { runTool } from '../tools/run-tool.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { PreparedTurn } from './prepare-turn.ts';

interface TurnTools {
  conversations: ConversationStore;
  log: Log;
  signal: AbortSignal;
}

/** Rounds of tool calls a turn; those that only bring a new skill into force do not count. */
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
    activeSkills: [...turn.tools.active.keys()],
  };
  for (const name of start.endedSkills) {
    yield { type: 'skill.ended', name, reason: 'not-available' };
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
    last = tools.signal.aborted ? finish(answer, 'aborted') : fail(answer, error, tools.log);
  } finally {
    stopSaving();
  }
  yield await stored(answer, last, tools);
}

/** The last event; another one when the answer cannot be stored. */
async function stored(
  answer: AssistantMessage,
  last: ChatEvent,
  { conversations, log }: TurnTools,
): Promise<ChatEvent> {
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
  const messages = [...turn.request.messages];
  const { answer } = turn.start;
  for (let rounds = 0; ; ) {
    const round = newRound();
    const textBefore = answer.content;
    yield* ask(turn, messages, round, tools.signal);
    if (round.calls.length === 0) {
      return round.stop === 'length' ? 'length' : 'stop';
    }
    if (rounds >= maxRounds) {
      return 'tool-limit';
    }
    messages.push(assistantMessage(answer.content.slice(textBefore.length), round));
    let counts = false;
    for (const call of round.calls) {
      tools.signal.throwIfAborted();
      const result = yield* runCall(call, turn, tools);
      messages.push(toolMessage(call, result));
      counts ||= result.activation === undefined;
    }
    rounds += counts ? 1 : 0;
  }
}

interface Round {
  /** Whether the model has said something in this round. */
  spoke: boolean;
  calls: ModelToolCall[];
  stop: 'stop' | 'length' | 'tool-calls';
  vendorState: unknown;
}

function newRound(): Round {
  return { spoke: false, calls: [], stop: 'stop', vendorState: undefined };
}

/** One request to the model. */
async function* ask(
  { ask: askModel, request, start: { answer } }: PreparedTurn,
  messages: ModelMessage[],
  round: Round,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  signal.throwIfAborted();
  const usageBefore = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
  for await (const event of askModel({ ...request, messages }, signal)) {
    const seen = take(event, answer, round, usageBefore);
    if (seen) {
      yield seen;
    }
  }
}

/** Stores what has been added, once a second, also while the model is silent. */
function saveNowAndThen(answer: AssistantMessage, { conversations, log }: TurnTools): () => void {
  let saved = 0;
  const timer = setInterval(() => {
    const length = answer.content.length + answer.thinking.length;
    if (length !== saved) {
      saved = length;
      conversations
        .saveAnswer(answer)
        .catch((error: unknown) => log.error({ error }, 'an answer could not be stored'));
    }
  }, saveEveryMs);
  return () => clearInterval(timer);
}

/** Adds a model's event to the answer; gives what the user sees of it. */
function take(
  event: ModelEvent,
  answer: AssistantMessage,
  round: Round,
  usageBefore: { inputTokens: number; outputTokens: number },
): ChatEvent | undefined {
  switch (event.type) {
    case 'text': {
      const content = paragraphBreak(answer, round) + event.text;
      answer.content += content;
      return { type: 'chunk', content };
    }
    case 'thinking':
      answer.thinking += event.text;
      return { type: 'thinking', content: event.text };
    case 'tool-call':
      round.calls.push(event.call);
      return undefined;
    case 'vendor-state':
      round.vendorState = event.state;
      return undefined;
    case 'usage':
      answer.usage = {
        inputTokens: usageBefore.inputTokens + event.inputTokens,
        outputTokens: usageBefore.outputTokens + event.outputTokens,
      };
      return { type: 'usage', ...answer.usage };
    case 'stop':
      round.stop = event.reason;
      return undefined;
  }
}

/** What the model says after its tool calls begins a new paragraph. */
function paragraphBreak(answer: AssistantMessage, round: Round): string {
  const first = !round.spoke;
  round.spoke = true;
  return first && answer.content !== '' && !answer.content.endsWith('\n\n') ? '\n\n' : '';
}

async function* runCall(
  call: ModelToolCall,
  turn: PreparedTurn,
  { conversations }: TurnTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const { start } = turn;
  const { id, name, input } = call;
  yield { type: 'tool.call.start', id, name, input };
  const result = await runTool(call, turn.request.tools, turn.tools);
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

function assistantMessage(content: string, { calls, vendorState }: Round): ModelMessage {
  return { role: 'assistant', content, toolCalls: calls, vendorState };
}

function toolMessage(call: ModelToolCall, result: ToolResult): ModelMessage {
  const { content, isError, images } = result;
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content,
    isError,
    ...(images ? { images } : {}),
  };
}

function finish(answer: AssistantMessage, finishReason: FinishReason): ChatEvent {
  const status: MessageStatus = finishReason === 'aborted' ? 'stopped' : 'complete';
  Object.assign(answer, { status, finishReason });
  return { type: 'done', finishReason };
}

function fail(answer: AssistantMessage, error: unknown, log: Log): ChatEvent {
  const known = databaseProblem(error);
  log.warn({ error, model: answer.model }, 'a turn failed');
  const shown = known
    ? { code: known.code, message: known.message }
    : { code: 'internal', message: 'Something went wrong on the server. Try again.' };
  Object.assign(answer, { status: 'failed' satisfies MessageStatus, error: shown });
  return { type: 'error', ...shown };
}

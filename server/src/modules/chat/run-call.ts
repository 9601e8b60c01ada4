import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { StoredFile } from '@knowhow/shared/config/tools';
import { exceedsTokens } from '../../platform/lib/count-tokens.ts';
import { getAnswerLocation } from '../conversations/answering/lock-running-answer.ts';
import {
  addActivation,
  answerRecord,
  endedSkill,
  getActiveSkills,
} from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import type { ModelToolCall } from '../models/model.ts';
import type { ActiveSkills } from '../skills/activate-skill.ts';
import { describeForUser } from '../tools/ask-consent.ts';
import { knowhowSource } from '../tools/offer-skill-tools.ts';
import { publicCallId } from '../tools/public-call-id.ts';
import { unknownTool } from '../tools/run-tool.ts';
import { type SkillCall, type ToolResult, toolError } from '../tools/tool.ts';
import type { OfferedTool } from '../tools/tool-source.ts';
import { calibratedWindow } from './calibrated-window.ts';
import { callTool } from './calls/call-tool.ts';
import { resultTokenBudget, truncateResult } from './calls/result-token-budget.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { maxActiveSkills } from './start-skills.ts';
import { textModel } from './text-model.ts';
import type { TurnAccess } from './turn-access.ts';

interface CallTools {
  conversations: TurnStore;
  misses: SkillCall['misses'];
  signal: AbortSignal;
}

/** Drops the arguments of a call if they exceed the token budget. */
function limitArguments(
  call: ModelToolCall,
  budget: number,
): { call: ModelToolCall; isTooLong: boolean } {
  const isTooLong = exceedsTokens(JSON.stringify(call.input) ?? '', budget);
  return { call: isTooLong ? { ...call, input: {} } : call, isTooLong };
}

/** Maximum tool calls per answer, and maximum repetitions of the same call. */
const maxCalls = 32;
const maxRepeats = 2;

const tooLong = toolError(
  'The arguments of this call were too long, and were not read. Call the tool again with short ones, or answer without it.',
  'arguments too long',
);

/** Refusal for a call that exceeds a limit; undefined if the call may run. */
function refuse(
  { call, isTooLong }: { call: ModelToolCall; isTooLong: boolean },
  { toolCalls }: AssistantMessage,
): ToolResult | undefined {
  if (toolCalls.length >= maxCalls) {
    return toolError(
      `No more tools can be called for this answer: ${maxCalls} calls are the limit. Answer with what you have.`,
      'too many calls',
    );
  }
  if (call.issue) {
    return toolError(call.issue.message, call.issue.summary);
  }
  if (isTooLong) {
    return tooLong;
  }
  const written = JSON.stringify(call.input);
  const repeats = toolCalls.filter(
    ({ name, input }) => name === call.name && JSON.stringify(input) === written,
  );
  return repeats.length < maxRepeats
    ? undefined
    : toolError(
        `You have this already: this very call was answered ${repeats.length} times above. Go on with what it gave.`,
        'called before',
      );
}

/** Runs a tool call of the model and records the result. Yields events for the user. */
export async function* runCall(
  requested: ModelToolCall,
  turn: PreparedTurn,
  access: TurnAccess,
  { conversations, misses, signal }: CallTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const { start, records, steps } = turn;
  const budget = resultTokenBudget(records, access);
  const { call, isTooLong } = limitArguments(requested, budget);
  const { name, input } = call;
  const id = publicCallId(call.id);
  const { answer } = start;
  const offered = access.offered().runnable.get(name);
  const shown = offered && offered.source !== knowhowSource ? describeForUser(offered) : {};
  yield { type: 'tool.call.start', id, name, input, ...shown };
  const at = Date.now();
  const began = performance.now();
  const active = getActiveSkills(records);
  const refused =
    refuse({ call, isTooLong }, answer) ??
    (offered ? undefined : unknownTool(name, access.offered().tools));
  const called =
    offered && !refused
      ? yield* runOffered(
          offered,
          { ...call, id },
          { turn, access, active, room: budget, misses, signal },
        )
      : { result: refused ?? stopped, ms: undefined, files: [] };
  const { result } = called;
  const ms = called.ms ?? performance.now() - began;
  const { isError, summary } = result;
  steps.push({
    ...{ type: 'tool', number: answer.toolCalls.length, name, at, ms, isError },
    ...(offered ? { source: offered.source.id } : {}),
    ...(result.refused ? { refused: [result.refused] } : {}),
    ...(result.found === undefined ? {} : { found: result.found }),
  });
  yield* recordResult(result, { turn, active, conversations, room: budget, ms });
  const time = offered && !offered.tool.isSkillTool ? { ms: Math.round(ms) } : {};
  const stored = called.files.length > 0 ? { files: called.files } : {};
  const ended = { input, error: isError, summary, ...shown, ...time, ...stored };
  answer.toolCalls.push({ id: call.id, name, ...ended });
  const round = answer.rounds?.at(-1);
  if (round) {
    round.calls += 1;
  }
  const end = { type: 'tool.call.end', id, name, summary, ...time, ...stored } as const;
  yield isError ? { ...end, error: isError } : end;
  return result;
}

interface OfferedCall {
  turn: PreparedTurn;
  access: TurnAccess;
  active: ActiveSkills;
  room: number;
  misses: SkillCall['misses'];
  signal: AbortSignal;
}

async function* runOffered(
  offered: OfferedTool,
  call: ModelToolCall,
  { turn, access, active, room: budget, misses, signal }: OfferedCall,
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number | undefined; files: StoredFile[] }> {
  const { callServices: services, callerNow, records, start } = turn;
  const { app, config, model } = access;
  const conversationId = start.conversation.id;
  const { view, callableTools } = access.offered();
  const calling = {
    callerNow,
    services,
    signal,
    conversationId,
    view,
    active,
    maxActiveSkills: maxActiveSkills(app, config),
    modelSees: model.config.supportsVision,
    resultTokenBudget: budget,
    maxSkillTokens: calibratedWindow(records, access).skill,
    misses,
    model: textModel(turn, access, signal),
    others: callableTools?.(),
  };
  const called = yield* untilStopped(callTool(offered, call, calling), signal);
  const { files = [] } = called.result;
  const at = { conversationId, messageId: start.answer.id };
  const stored = services && files.length > 0 ? await services.files.keep(files, at) : [];
  return { ...called, files: stored };
}

/** Reports a call that is aborted while it runs as stopped, because it may already have had effects. */
async function* untilStopped(
  running: ReturnType<typeof callTool>,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number | undefined }> {
  try {
    return yield* running;
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    return { result: stopped, ms: undefined };
  }
}

const stopped = toolError(
  'This call was stopped before it had answered. What it had done by then is not known.',
  'stopped',
);

interface Recording {
  turn: PreparedTurn;
  /** Includes the skill that the call has activated. */
  active: ActiveSkills;
  conversations: TurnStore;
  room: number;
  ms: number;
}

/** Stores the result of a call and the skill it activated. */
async function* recordResult(
  { activation, content, isError, images, skills = [] }: ToolResult,
  { turn: { start, records }, active, conversations, room: budget, ms }: Recording,
): AsyncGenerator<ChatEvent> {
  const { answer, user } = start;
  const activated = activation && active.get(activation.name);
  if (activated) {
    const at = { messageId: user.id, call: answer.toolCalls.length };
    const { added, replaced } = addActivation(records, activated, at);
    await conversations.addActivation(getAnswerLocation(start), added, replaced);
    answer.activations.push(activated.activation);
    for (const ended of replaced ? endedSkill(replaced) : []) {
      answer.ended.push(ended);
      yield { type: 'skill.ended', ...ended };
    }
    yield { type: 'skill.activation', ...activated.activation };
  }
  answerRecord(records, answer).results.push({
    content: activated ? '' : truncateResult(content, budget),
    isError,
    ...(images ? { images } : {}),
    skills,
    ms: Math.round(ms),
  });
}

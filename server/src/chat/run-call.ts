import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { StoredFile } from '@knowhow/shared/config/tools';
import { placeOf } from '../conversations/answering/hold-answer.ts';
import {
  activeSkillsOf,
  addActivation,
  answerRecord,
  endedSkill,
  type Records,
} from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import { isOver } from '../lib/count-tokens.ts';
import type { ModelToolCall } from '../models/model.ts';
import type { ActiveSkills } from '../skills/activate-skill.ts';
import { shownAs } from '../tools/ask-consent.ts';
import { publicCallId } from '../tools/public-call-id.ts';
import { runTool } from '../tools/run-tool.ts';
import { searchSource } from '../tools/search-tools.ts';
import { refusal, type ToolContext, type ToolResult } from '../tools/tool.ts';
import type { OfferedTool } from '../tools/toolbox.ts';
import { callSourceTool } from './calls/call-source-tool.ts';
import { cutTo, roomForResult } from './calls/room-for-result.ts';
import { windowIn } from './correct-estimate.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { maxActiveSkills } from './start-skills.ts';
import { textModel } from './text-model.ts';
import type { TurnAccess } from './turn-access.ts';

interface CallTools {
  conversations: TurnStore;
  misses: ToolContext['misses'];
  signal: AbortSignal;
}

/** What is kept of a call: one whose arguments find no room in later requests has none. */
function bounded(call: ModelToolCall, room: number): { call: ModelToolCall; isTooLong: boolean } {
  const isTooLong = isOver(JSON.stringify(call.input) ?? '', room);
  return { call: isTooLong ? { ...call, input: {} } : call, isTooLong };
}

/** Calls that an answer may make, and how often the same one. */
const mostCalls = 32;
const mostAlike = 2;

const tooLong = refusal(
  'The arguments of this call were too long, and were not read. Call the tool again with short ones, or answer without it.',
  'arguments too long',
);

/** What a call too many gets. */
function refuse(
  { call, isTooLong }: { call: ModelToolCall; isTooLong: boolean },
  { toolCalls }: AssistantMessage,
): ToolResult | undefined {
  if (toolCalls.length >= mostCalls) {
    return refusal(
      `No more tools can be called for this answer: ${mostCalls} calls are the limit. Answer with what you have.`,
      'too many calls',
    );
  }
  if (call.fault) {
    return refusal(call.fault.message, call.fault.summary);
  }
  if (isTooLong) {
    return tooLong;
  }
  const written = JSON.stringify(call.input);
  const alike = toolCalls.filter(
    ({ name, input }) => name === call.name && JSON.stringify(input) === written,
  );
  return alike.length < mostAlike
    ? undefined
    : refusal(
        `You have this already: this very call was answered ${alike.length} times above. Go on with what it gave.`,
        'called before',
      );
}

/** Runs a call of the model and records what it gave. Yields what the user is to see. */
export async function* runCall(
  made: ModelToolCall,
  turn: PreparedTurn,
  access: TurnAccess,
  { conversations, misses, signal }: CallTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const { start, records, steps } = turn;
  const room = roomForResult(records, access);
  const { call, isTooLong } = bounded(made, room);
  const { name, input } = call;
  const id = publicCallId(call.id);
  const { answer } = start;
  const offered = access.offered().sourceTools?.get(name);
  const shown = offered && offered.source.id !== searchSource.id ? shownAs(offered) : {};
  yield { type: 'tool.call.start', id, name, input, ...shown };
  const at = Date.now();
  const began = performance.now();
  const refused = refuse({ call, isTooLong }, answer);
  const active = activeSkillsOf(records);
  const called =
    offered && !refused
      ? yield* callSource(offered, { ...call, id }, { turn, access, signal })
      : {
          result: refused ?? (await callOwn(call, { records, access, active, room, misses })),
          ms: undefined,
          files: [],
        };
  const { result } = called;
  const ms = called.ms ?? performance.now() - began;
  const { isError, summary } = result;
  steps.push({
    ...{ type: 'tool', number: answer.toolCalls.length, name, at, ms, isError },
    ...(offered ? { source: offered.source.id } : {}),
    ...(result.refused ? { refused: [result.refused] } : {}),
    ...(result.found === undefined ? {} : { found: result.found }),
  });
  yield* record(result, { turn, active, conversations, room, ms });
  const time = offered ? { ms: Math.round(ms) } : {};
  const kept = called.files.length > 0 ? { files: called.files } : {};
  const ended = { input, error: isError, summary, ...shown, ...time, ...kept };
  answer.toolCalls.push({ id: call.id, name, ...ended });
  const round = answer.rounds?.at(-1);
  if (round) {
    round.calls += 1;
  }
  const end = { type: 'tool.call.end', id, name, summary, ...time, ...kept } as const;
  yield isError ? { ...end, error: isError } : end;
  return result;
}

interface OwnCall {
  records: Records;
  access: TurnAccess;
  active: ActiveSkills;
  room: number;
  misses: ToolContext['misses'];
}

/** A tool of ours for skills. */
function callOwn(
  call: ModelToolCall,
  { records, access, active, room, misses }: OwnCall,
): Promise<ToolResult> {
  const { app, config, model } = access;
  const { view, tools } = access.offered();
  return runTool(call, tools, {
    view,
    active,
    maxActiveSkills: maxActiveSkills(app, config),
    modelSees: model.config.supportsVision === true,
    resultRoom: room,
    longestSkill: windowIn(records, access).skill,
    misses,
  });
}

interface SourceCall {
  turn: PreparedTurn;
  access: TurnAccess;
  signal: AbortSignal;
}

async function* callSource(
  offered: OfferedTool,
  call: ModelToolCall,
  { turn, access, signal }: SourceCall,
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number | undefined; files: StoredFile[] }> {
  const { callServices: services, callerNow, records, start } = turn;
  if (!services) {
    throw new Error('A tool of a source was offered without what its calls need.');
  }
  const conversationId = start.conversation.id;
  const { view, callableTools } = access.offered();
  const active = [...activeSkillsOf(records).keys()];
  const model = textModel(turn, access, signal);
  const calling = {
    callerNow,
    services,
    signal,
    conversationId,
    view,
    active,
    model,
    others: callableTools?.(),
  };
  const called = yield* untilStopped(callSourceTool(offered, call, calling), signal);
  const { files = [] } = called.result;
  const at = { conversationId, messageId: start.answer.id };
  return { ...called, files: files.length > 0 ? await services.files.keep(files, at) : [] };
}

/** A call that is stopped has begun all the same: its user and the model are told so. */
async function* untilStopped(
  running: ReturnType<typeof callSourceTool>,
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

const stopped = refusal(
  'This call was stopped before it had answered. What it had done by then is not known.',
  'stopped',
);

interface Recording {
  turn: PreparedTurn;
  /** With the skill that the call has activated. */
  active: ActiveSkills;
  conversations: TurnStore;
  room: number;
  ms: number;
}

/** Keeps what a call gave, and the skill that it has activated. */
async function* record(
  { activation, content, isError, images, skills = [] }: ToolResult,
  { turn: { start, records }, active, conversations, room, ms }: Recording,
): AsyncGenerator<ChatEvent> {
  const { answer, user } = start;
  const activated = activation && active.get(activation.name);
  if (activated) {
    const at = { messageId: user.id, call: answer.toolCalls.length };
    const { added, replaced } = addActivation(records, activated, at);
    await conversations.addActivation(placeOf(start), added, replaced);
    answer.activations.push(activated.activation);
    for (const ended of replaced ? endedSkill(replaced) : []) {
      answer.ended.push(ended);
      yield { type: 'skill.ended', ...ended };
    }
    yield { type: 'skill.activation', ...activated.activation };
  }
  answerRecord(records, answer).results.push({
    content: activated ? '' : cutTo(content, room),
    isError,
    ...(images ? { images } : {}),
    skills,
    ms: Math.round(ms),
  });
}

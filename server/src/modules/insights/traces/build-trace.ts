import type { FittingCode } from '@knowhow/shared/chat/chat';
import type { TraceUsage } from '@knowhow/shared/chat/traces';
import { escapeXml } from '@knowhow/shared/escape-xml';
import { Problem } from '@knowhow/shared/problem';
import { isCancellation } from '../../../platform/lib/is-cancellation.ts';
import {
  lastInstructions,
  type ModelStep,
  type PreparedTurn,
  type ToolStep,
} from '../../chat/index.ts';
import type { Compaction, Records } from '../../conversations/index.ts';
import { calculateCost, type ModelMessage } from '../../models/index.ts';
import { nameFinder } from './name-finder.ts';
import type { StoredCall, StoredMessage, StoredRound, StoredTrace } from './stored-trace.ts';
import { getSetting, type TracePart } from './trace-settings.ts';

interface BuiltTrace {
  trace: StoredTrace;
  /** Parts that the trace references by checksum. */
  parts: TracePart[];
}

/** Builds the trace of what the model saw in a turn so far. */
export function buildTrace(turn: PreparedTurn, { at, ms }: { at: number; ms: number }): BuiltTrace {
  const { start, steps, language } = turn;
  const { answer, conversation } = start;
  const parts = new Map<string, TracePart>();
  const mentionedIn = createMentionFinder(turn);
  const before = new Map<ModelStep['purpose'], ModelStep>();
  const rounds: StoredRound[] = [];
  for (const step of steps) {
    if (step.type === 'tool') {
      rounds.at(-1)?.calls.push(buildCall(step, turn));
      continue;
    }
    const { setting, visible } = getSetting(step.access, language);
    parts.set(setting.checksum, setting).set(visible.checksum, visible);
    const earlier = before.get(step.purpose);
    before.set(step.purpose, step);
    rounds.push(buildRound(step, { earlier, setting: setting.checksum, mentionedIn, turn }));
  }
  const { status, finishReason, error } = answer;
  const asked = steps.filter((step) => step.type === 'model');
  const { app, filled } = asked[0]?.access ?? {};
  const instructions = app ? lastInstructions(turn.records, app) : '';
  const messages = asked.find(({ purpose }) => purpose === 'answer')?.request.messages ?? [];
  return {
    trace: {
      conversation: start.mainConversationId ?? conversation.id,
      app: conversation.appId,
      model: conversation.model,
      groups: asked[0]?.access.groups ?? [],
      at,
      ms: Math.round(ms),
      status,
      ...(finishReason ? { finishReason: finishReason as StoredTrace['finishReason'] } : {}),
      ...(error ? { error: { code: error.code } } : {}),
      named: findSuggestedIds(turn.records, messages),
      ...(instructions ? { instructions } : {}),
      ...(filled ? { values: filled.values } : {}),
      rounds,
    },
    parts: [...parts.values()],
  };
}

interface RoundContext {
  /** The previous request with the same purpose in this turn. */
  earlier: ModelStep | undefined;
  setting: string;
  mentionedIn: (message: ModelMessage) => string[];
  turn: PreparedTurn;
}

function buildRound(
  step: ModelStep,
  { earlier, setting, mentionedIn, turn }: RoundContext,
): StoredRound {
  const { purpose, config, request, at, ms, firstMs, text, stop, usage, error } = step;
  const { active, versions, candidates } = step;
  const isAnswer = purpose === 'answer';
  const notices = isAnswer ? findNotices(turn, { from: earlier?.at ?? 0, to: at }) : [];
  const isCompacted = notices.some((code) => code !== 'results-cleared');
  const { messages, earlier: repeated } = isAnswer
    ? findAddedMessages(earlier?.request.messages, request.messages, isCompacted)
    : { messages: request.messages.slice(earlier?.request.messages.length ?? 0), earlier: 0 };
  return {
    purpose,
    model: config.id,
    at,
    ms: Math.round(ms),
    ...(firstMs === undefined ? {} : { firstMs: Math.round(firstMs) }),
    setting,
    ...(isAnswer ? {} : { instruction: request.system }),
    ...(candidates ? { candidates } : {}),
    ...(step.refused ? { refused: step.refused } : {}),
    active,
    versions,
    earlier: repeated,
    added: messages.map((message) => buildMessage(message, candidates ?? mentionedIn(message))),
    notices,
    ...(isAnswer ? {} : { text }),
    calls: [],
    ...(usage ? { usage: buildUsage(step) } : {}),
    ...(stop ? { stop } : {}),
    ...(error === undefined ? {} : { error: { code: getErrorCode(error) } }),
  };
}

function buildUsage({ usage, config }: ModelStep): TraceUsage {
  const counted = usage ?? { inputTokens: 0, outputTokens: 0 };
  const cost = calculateCost(counted, config.prices);
  return { ...counted, ...(cost ? { cost: cost.amount, currency: cost.currency } : {}) };
}

/** Only a code; the provider's message is in the log. */
function getErrorCode(error: unknown): string {
  if (error instanceof Problem) {
    return error.code;
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'too-slow';
  }
  return isCancellation(error) ? 'aborted' : 'internal';
}

function buildMessage(message: ModelMessage, skills: readonly string[]): StoredMessage {
  const { role, content } = message;
  const mentioned = skills.length > 0 ? { skills } : {};
  switch (message.role) {
    case 'user':
      return {
        role,
        content,
        ...mentioned,
        ...(message.images ? { images: message.images.length } : {}),
      };
    case 'assistant': {
      const toolCalls = message.toolCalls.map(({ name, input }) => ({ name, input }));
      return { role, content, ...(toolCalls.length > 0 ? { toolCalls } : {}), ...mentioned };
    }
    case 'tool':
      return {
        role,
        content,
        name: message.name,
        ...(message.isError ? { error: true } : {}),
        ...(message.images ? { images: message.images.length } : {}),
        ...mentioned,
      };
  }
}

function buildCall({ number, name, at, ms, isError }: ToolStep, turn: PreparedTurn): StoredCall {
  const { answer, user } = turn.start;
  const call = answer.toolCalls[number];
  const result = turn.records.answers.get(answer.id)?.results[number];
  const activated = turn.records.activations.find(
    ({ messageId, call: at }) => messageId === user.id && at === number,
  );
  const content = activated?.content ?? result?.content ?? '';
  return {
    name,
    input: call?.input,
    at,
    ms: Math.round(ms),
    bytes: Buffer.byteLength(content),
    error: isError,
    summary: call?.summary ?? '',
    skills: result?.skills ?? [],
  };
}

/** Notices about content that was dropped between two requests of the turn. */
function findNotices(
  { records, start }: PreparedTurn,
  { from, to }: { from: number; to: number },
): FittingCode[] {
  return records.compactions.flatMap((compaction, index) => {
    const at = Date.parse(compaction.at);
    const isOwn = compaction.messageId === start.user.id && at > from && at <= to + clockSkewMs;
    return isOwn ? [getCompactionCode(compaction, records, index)] : [];
  });
}

/** Compactions in quick succession get timestamps a millisecond apart. */
const clockSkewMs = 3;

function getCompactionCode(
  { summary, keptFrom }: Compaction,
  { compactions }: Records,
  index: number,
): FittingCode {
  const last = compactions[index - 1];
  if (summary !== undefined && summary !== last?.summary) {
    return 'summarised';
  }
  return keptFrom > (last?.keptFrom ?? 0) ? 'left-out' : 'results-cleared';
}

interface Added {
  /** Number of messages already contained in an earlier request or turn. */
  earlier: number;
  messages: ModelMessage[];
}

/** Messages that a request adds to the previous one. */
function findAddedMessages(
  before: readonly ModelMessage[] | undefined,
  messages: readonly ModelMessage[],
  isCompacted: boolean,
): Added {
  return before ? addedAfter(before, messages) : firstAdded(messages, isCompacted);
}

/** For a turn's first request: the user's message, and the replacement of dropped messages. */
function firstAdded(messages: readonly ModelMessage[], isCompacted: boolean): Added {
  const at = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  const head = isCompacted && at > 0 ? messages.slice(0, 1) : [];
  return { earlier: at - head.length, messages: [...head, ...messages.slice(at)] };
}

function addedAfter(before: readonly ModelMessage[], messages: readonly ModelMessage[]): Added {
  let common = 0;
  while (common < messages.length && isSame(messages[common], before[common])) {
    common += 1;
  }
  if (common === before.length) {
    return { earlier: common, messages: messages.slice(common) };
  }
  // Something was removed in between, so messages are compared individually.
  const known = new Set(before.map(getKey));
  const added = messages.filter((message) => !known.has(getKey(message)));
  return { earlier: messages.length - added.length, messages: added };
}

function isSame(one: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.role === other.role &&
    one.content === other.content &&
    (one.role !== 'assistant' ||
      other.role !== 'assistant' ||
      one.toolCalls.length === other.toolCalls.length)
  );
}

function getKey({ role, content }: ModelMessage): string {
  return `${role}\n${content}`;
}

/** Finds which skills a request's message mentions, so that it can be withheld later. */
function createMentionFinder({
  start,
  records,
}: PreparedTurn): (message: ModelMessage) => string[] {
  const known = nameFinder(knownSkills(records, start.user.skills));
  const results = records.answers.get(start.answer.id)?.results ?? [];
  const { toolCalls } = start.answer;
  const activated = new Map(
    records.activations
      .filter(({ messageId }) => messageId === start.user.id)
      .flatMap(({ call, activation }) => (call === undefined ? [] : [[call, activation.name]])),
  );
  const getCallSkills = (callId: string) =>
    toolCalls.flatMap(({ id }, number) =>
      // Requests rename calls whose ID occurred before.
      callId === id || callId.startsWith(`${id}_`)
        ? [...(results[number]?.skills ?? []), ...[activated.get(number) ?? []].flat()]
        : [],
    );
  return (message) => {
    const written =
      message.role === 'assistant' && message.toolCalls.length > 0
        ? message.content + JSON.stringify(message.toolCalls)
        : message.content;
    const named = known.namesIn(written);
    return [
      ...new Set([...named, ...(message.role === 'tool' ? getCallSkills(message.callId) : [])]),
    ];
  };
}

/** All skills that the model may have read about in this conversation, apart from the catalogue. */
function knownSkills(
  { activations, answers, compactions, named, earlier }: Records,
  picked: readonly string[],
): string[] {
  const results = [...answers.values()].flatMap((answer) => answer.results);
  return [
    ...new Set([
      ...activations.map(({ activation }) => activation.name),
      ...(earlier?.skills ?? []),
      ...results.flatMap(({ skills }) => skills),
      ...compactions.flatMap(({ skills }) => skills),
      ...getIds(named),
      ...picked,
    ]),
  ];
}

function getIds(named: Records['named']): string[] {
  return [...named.values()].flat().map(({ id }) => id);
}

/** IDs of the skills that a request's messages suggest in addition to the catalogue. */
function findSuggestedIds({ named }: Records, messages: readonly ModelMessage[]): string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const isMentioned = (id: string) =>
    texts.some((text) => text.includes(`<name>${escapeXml(id)}</name>`));
  return [...new Set(getIds(named))].filter(isMentioned);
}

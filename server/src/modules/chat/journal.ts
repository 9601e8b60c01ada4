import { getAnswerChanges } from '@knowhow/shared/chat/answer-changes';
import type { ChatEvent, EndReason, FittingCode, TurnEnd } from '@knowhow/shared/chat/chat';
import type { StoredFile } from '@knowhow/shared/config/tools';
import { ignore } from '../../platform/lib/ignore.ts';
import type { Log } from '../../platform/lib/log.ts';
import {
  type ActivationRecord,
  type AnswerLocation,
  addActivation,
  addCompaction,
  answerRecord,
  type Compaction,
  endedSkill,
  getActiveSkills,
  getAnswerLocation,
  maxBranchesPerMessage,
  type StartedTurn,
  type TurnStore,
} from '../conversations/index.ts';
import type { ActiveSkill } from '../skills/index.ts';
import { publicCallId, type ToolResult } from '../tools/index.ts';
import { observeTurn, type TurnObserver } from './observe-turn.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { autosaveAnswer, createSaver, storeFinalAnswer } from './save-answer.ts';

/** Something that happens in a turn. If its event says everything, the fact is the event. */
export type TurnFact =
  | Extract<ChatEvent, { type: 'chunk' | 'chunk.was-thinking' | 'thinking' | 'usage' | 'notice' }>
  | {
      type: 'skill-activated';
      skill: ActiveSkill;
      /** Index of the call whose result holds its text; absent if the user's message holds it. */
      call?: number;
      /** The router's reason for choosing it. */
      reason?: string | undefined;
    }
  | { type: 'skill-ended'; record: ActivationRecord; reason: EndReason; note: string | undefined }
  | { type: 'skill-outdated'; record: ActivationRecord; isOutdated: boolean }
  | ({ type: 'tool-started' } & StartedCall)
  | ({ type: 'tool-ended' } & EndedCall)
  /** A request to the model has ended. Token counts of the provider, and our estimate of the input. */
  | { type: 'model-answered'; inputTokens: number; outputTokens: number; estimated: number }
  /** State of the vendor to send back with a round. */
  | { type: 'state-received'; round: number; state: unknown }
  | { type: 'tools-offered'; tools: readonly string[] }
  | { type: 'compacted'; code: FittingCode; message: string; compaction: NewCompaction };

interface StartedCall {
  /** As the model sent it. */
  id: string;
  name: string;
  input: unknown;
  /** Index in the answer's `rounds`. */
  round: number;
  /** Titles of a source's tool and of its source. */
  title?: string;
  source?: string;
}

interface EndedCall {
  id: string;
  name: string;
  /** ID of the tool's source; undefined for an unknown tool. */
  sourceId: string | undefined;
  /** Whether it is a tool for skills, whose duration is not shown. */
  isSkillTool: boolean;
  result: ToolResult;
  files: StoredFile[];
  /** Start in milliseconds since 1970, and duration. */
  at: number;
  ms: number;
}

type NewCompaction = Pick<Compaction, 'keptFrom' | 'cleared' | 'summary' | 'skills'>;

/**
 * The only writer of a turn. Each fact is added to the records and the answer, stored, and sent to the user. Observers
 * get the turn at its end.
 */
export interface Journal {
  /** Aborted with the reason if the turn must end, also if it no longer owns its answer. */
  signal: AbortSignal;
  /** Tells the user how the turn starts. */
  reportStart(): Promise<void>;
  /**
   * Resolves once more facts may follow (backpressure). Throws if a fact cannot be stored: `AnswerTakenOver` or
   * `not-found` if the answer is no longer this turn's.
   */
  record(fact: TurnFact): Promise<void>;
  /** Sends an event about a running call: its progress, or a question. Nothing of it is stored. */
  showProgress(event: ChatEvent): void;
  /** Names of the active skills as stored; undefined if the conversation is gone. */
  activeNames(): Promise<ReadonlySet<string> | undefined>;
  /** Records the end, stores the answer and sends the last event. */
  end(last: TurnEnd): Promise<void>;
}

interface JournalTools {
  conversations: TurnStore;
  /** Log whose entries name user, conversation, request and model. */
  log: Log;
  observers: readonly TurnObserver[];
  /** If its reason is a problem, the turn ends with it. */
  signal: AbortSignal;
  /** Sends an event to the user. May return a promise to await before the next. */
  send: (event: ChatEvent) => Promise<void> | undefined;
}

/** Stores the start of a turn. Throws if it cannot be stored. */
export async function openJournal(turn: PreparedTurn, tools: JournalTools): Promise<Journal> {
  const { start } = turn;
  const { answer } = start;
  const { conversations, log } = tools;
  const lost = new AbortController();
  const signal = AbortSignal.any([tools.signal, lost.signal]);
  const { hasPrunedBranches, activeNames } = await storeStart(turn, conversations);
  const observeEnd = observeTurn(turn, tools.observers, log);
  const send = (event: ChatEvent) => tools.send(event) ?? sent;
  const apply = (event: ChatEvent) => {
    Object.assign(answer, getAnswerChanges(answer, event));
    // Models may use any ID for a call.
    return send('id' in event ? { ...event, id: publicCallId(event.id) } : event);
  };
  const write = { turn, conversations, at: getAnswerLocation(start), apply, send };
  const save = createSaver(turn, conversations);
  const stopSaving = autosaveAnswer(answer, save, { log, signal, lost });
  let namesAtStart = activeNames;
  return {
    signal,
    reportStart: () => reportStart(write, hasPrunedBranches),
    record: (fact) => recordFact(fact, write),
    showProgress: (event) => {
      send(event).catch(ignore);
    },
    activeNames: async () => {
      const names = namesAtStart;
      namesAtStart = undefined;
      return names ?? conversations.activeNames(start.owner, start.conversation.id);
    },
    end: async (last) => {
      stopSaving();
      Object.assign(answer, getAnswerChanges(answer, last));
      const stored = await storeFinalAnswer(last, save, log);
      Object.assign(answer, getAnswerChanges(answer, stored));
      observeEnd(stored);
      // Released before the reader sees the end and sends the next message.
      await turn.endUsage?.();
      await send(stored);
    },
  };
}

const sent = Promise.resolve();

async function storeStart(turn: PreparedTurn, conversations: TurnStore): Promise<StartedTurn> {
  try {
    return await conversations.beginTurn(turn.start);
  } catch (error) {
    await turn.endUsage?.();
    throw error;
  }
}

/** The state that a recorded fact changes. */
interface Write {
  turn: PreparedTurn;
  conversations: TurnStore;
  at: AnswerLocation;
  /** Applies an event to the answer and sends it. */
  apply: (event: ChatEvent) => Promise<void>;
  send: (event: ChatEvent) => Promise<void>;
}

/** Skills that ended or were activated before the start are in the answer already. */
async function reportStart(
  { turn: { start, records }, apply, send }: Write,
  hasPrunedBranches: boolean,
): Promise<void> {
  const { conversation, answer, user } = start;
  await send({
    type: 'session.start',
    conversationId: conversation.id,
    messageId: answer.id,
    userMessageId: user.id,
    model: conversation.model,
    activeSkills: [...getActiveSkills(records).keys()],
  });
  if (hasPrunedBranches) {
    const message = `The oldest versions of this conversation were deleted: at most ${maxBranchesPerMessage} are kept at a message.`;
    await apply({ type: 'notice', code: 'lines-dropped', message });
  }
  for (const ended of start.ended.flatMap(endedSkill)) {
    await send({ type: 'skill.ended', ...ended });
  }
  for (const { activation } of start.activated) {
    await send({ type: 'skill.activation', ...activation });
  }
}

function recordFact(fact: TurnFact, write: Write): Promise<void> {
  const { conversations, at, apply, send } = write;
  const { records, start } = write.turn;
  switch (fact.type) {
    case 'skill-activated':
      return recordActivation(fact, write);
    case 'skill-ended':
      return recordEnd(fact, write);
    case 'skill-outdated': {
      const { record, isOutdated } = fact;
      record.activation = { ...record.activation, isOutdated };
      return send({ type: 'skill.outdated', name: record.activation.name, isOutdated });
    }
    case 'tool-started':
      return apply({ ...fact, type: 'tool.call.start' });
    case 'tool-ended':
      return recordResult(fact, write);
    case 'model-answered': {
      const { type: _, ...modelCall } = fact;
      start.answer.modelCalls = [...(start.answer.modelCalls ?? []), modelCall];
      return sent;
    }
    case 'state-received':
      answerRecord(records, start.answer).states.set(fact.round, fact.state);
      return sent;
    case 'tools-offered':
      start.tools = fact.tools;
      return conversations.saveOfferedTools(at, fact.tools);
    case 'compacted':
      return recordCompaction(fact, write);
    default:
      return apply(fact);
  }
}

type FactOf<Type extends TurnFact['type']> = Extract<TurnFact, { type: Type }>;

async function recordActivation(
  { skill, call, reason }: FactOf<'skill-activated'>,
  { turn: { start, records }, conversations, at, apply }: Write,
): Promise<void> {
  const where = { messageId: start.user.id, ...(call === undefined ? {} : { call }) };
  const { added, replaced } = addActivation(records, skill, where);
  await conversations.addActivation(at, added, replaced);
  for (const ended of replaced ? endedSkill(replaced) : []) {
    await apply({ type: 'skill.ended', ...ended });
  }
  await apply({ type: 'skill.activation', ...added.activation, ...(reason ? { reason } : {}) });
}

async function recordEnd(
  { record, reason, note }: FactOf<'skill-ended'>,
  { turn: { start }, conversations, at, apply }: Write,
): Promise<void> {
  record.end = { reason, note, inTurnOf: start.user.id };
  await conversations.endActivation(at, record);
  for (const ended of endedSkill(record)) {
    await apply({ type: 'skill.ended', ...ended });
  }
}

/** The row of the result is stored with the answer. */
async function recordResult(
  { id, name, sourceId, isSkillTool, result, files, at, ms }: FactOf<'tool-ended'>,
  { turn: { start, records, steps }, apply }: Write,
): Promise<void> {
  const { answer } = start;
  const { content, isError, summary, images, skills = [], refused, found } = result;
  steps.push({
    type: 'tool',
    number: answer.toolCalls.length - 1,
    name,
    at,
    ms,
    isError,
    ...(sourceId === undefined ? {} : { source: sourceId }),
    ...(refused ? { refused: [refused] } : {}),
    ...(found === undefined ? {} : { found }),
  });
  const roundedMs = Math.round(ms);
  answerRecord(records, answer).results.push({
    content,
    isError,
    ...(images ? { images } : {}),
    skills,
    ms: roundedMs,
  });
  await apply({
    type: 'tool.call.end',
    id,
    name,
    summary,
    ...(sourceId === undefined || isSkillTool ? {} : { ms: roundedMs }),
    ...(files.length > 0 ? { files } : {}),
    ...(isError ? { error: isError } : {}),
  });
}

async function recordCompaction(
  { code, message, compaction }: FactOf<'compacted'>,
  { turn: { start, records }, conversations, at, apply }: Write,
): Promise<void> {
  const added = addCompaction(records, { ...compaction, messageId: start.user.id });
  await conversations.addCompaction(at, added);
  await apply({ type: 'notice', code, message });
}

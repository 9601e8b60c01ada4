import { randomUUID } from 'node:crypto';
import type { Instructions } from '@knowhow/shared/access/preferences';
import type { EndReason } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { ModelImage } from '../models/index.ts';
import type { ActiveSkill, ActiveSkills } from '../skills/index.ts';
import type { AttachedContent } from './attached-files.ts';

/**
 * The parts of a conversation that requests are rendered from. Append-only, except that a retry truncates it and
 * activations get ends.
 */
export interface Records {
  /** Summary of messages that are not loaded because no request needs them; absent if all are loaded. */
  earlier?: Earlier;
  /** In pairs: a user's message and its answer; the last answer may be incomplete. */
  messages: Message[];
  /** By answer ID; absent for answers without tool calls. */
  answers: Map<string, AnswerRecord>;
  /** In order of activation. */
  activations: ActivationRecord[];
  /** In order of creation; only the last one applies. */
  compactions: Compaction[];
  /** Skills suggested to models, by ID of the user's message. */
  named: Map<string, readonly SuggestedSkill[]>;
  /**
   * The user's instructions by ID of the message from which they apply, in order; including messages that are not
   * loaded.
   */
  instructions: Map<string, Instructions>;
  /** Content of the files attached to users' messages, by file ID. */
  attached: Map<string, AttachedContent>;
  /** Whether a file with text is attached, even to a message that is not loaded. */
  hasTexts: boolean;
}

/** Summary of messages that are not loaded. */
export interface Earlier {
  /** Number of turns and of messages. */
  turns: number;
  messages: number;
  /** Characters of all their texts. */
  characters: number;
  /** First message of the conversation. */
  first: UserMessage;
  /** IDs of the skills that their tool results disclose. */
  skills: readonly string[];
}

type UserMessage = Extract<Message, { role: 'user' }>;

/** A skill suggested for a message, with its description at that time. */
export interface SuggestedSkill {
  id: string;
  description: string;
}

/** Content that is no longer sent, because it does not fit the context window. */
export interface Compaction {
  id: string;
  /** ID of the user's message in whose turn the compaction happened. */
  messageId: string;
  /** Index of the first turn that is kept. */
  keptFrom: number;
  /** Tool results before this call are replaced by a line each. */
  cleared: Point;
  /** Sent in place of the dropped turns. */
  summary?: string;
  /** IDs of the skills that the summary may disclose. */
  skills: readonly string[];
  /** ISO 8601, UTC. */
  at: string;
}

/** A call in a turn; both are zero-based indexes. */
export interface Point {
  turn: number;
  call: number;
}

/** Data of an answer's calls that the chat does not show. */
export interface AnswerRecord {
  /** In the order of the answer's `toolCalls`. */
  results: ToolRecord[];
  /** Vendor state to send back, by index in the answer's `rounds`. */
  states: Map<number, unknown>;
}

/** A tool's result as sent to the model. */
export interface ToolRecord {
  /** Empty if the result is the text of an activation. */
  content: string;
  isError: boolean;
  images?: ModelImage[];
  /** IDs of the skills it discloses. */
  skills: readonly string[];
  /** Duration in milliseconds. */
  ms: number;
}

/** A skill's activation in a conversation, until its end. */
export interface ActivationRecord extends ActiveSkill {
  id: string;
  /** ID of the user's message in whose turn it was activated. */
  messageId: string;
  /** Index of the call whose result holds its text; absent if the user's message holds it. */
  call?: number;
  /** ISO 8601, UTC. */
  at: string;
  end?: ActivationEnd;
}

export interface ActivationEnd {
  reason: EndReason;
  /** Why an administrator blocked it, if users may know. Stored with the answer. */
  note?: string | undefined;
  /** ID of the user's message in whose turn it ended; absent if it ended between turns. */
  inTurnOf?: string;
  /** ISO 8601, UTC; absent until it is stored. */
  at?: string;
}

/** Records of a new conversation. */
export function emptyRecords(): Records {
  return {
    messages: [],
    answers: new Map(),
    activations: [],
    compactions: [],
    named: new Map(),
    instructions: new Map(),
    attached: new Map(),
    hasTexts: false,
  };
}

/** Activations that have not ended, oldest first. */
export function getActiveSkills({ activations }: Pick<Records, 'activations'>): ActiveSkills {
  const active = activations.filter(({ end }) => end === undefined);
  return new Map(active.map((record) => [record.activation.name, record]));
}

/** The active activation of a skill. */
function findActive(
  { activations }: Pick<Records, 'activations'>,
  name: string,
): ActivationRecord | undefined {
  return activations.find(({ activation, end }) => activation.name === name && !end);
}

/** The end of an activation as shown to the user. */
export function endedSkill({ activation, end }: ActivationRecord): EndedSkill[] {
  return end ? [{ name: activation.name, reason: end.reason, note: end.note }] : [];
}

interface EndedSkill {
  name: string;
  reason: EndReason;
  note: string | undefined;
}

/** The record of an answer's calls; created if missing. */
export function answerRecord({ answers }: Records, { id }: AssistantMessage): AnswerRecord {
  const known = answers.get(id);
  if (known) {
    return known;
  }
  const created: AnswerRecord = { results: [], states: new Map() };
  answers.set(id, created);
  return created;
}

/**
 * Adds an activation. It replaces an active one of the same skill.
 *
 * @param at where its text is
 */
export function addActivation(
  { activations }: Records,
  { activation, content }: ActiveSkill,
  at: Pick<ActivationRecord, 'messageId' | 'call'>,
): { added: ActivationRecord; replaced: ActivationRecord | undefined } {
  const replaced = findActive({ activations }, activation.name);
  if (replaced) {
    const isSame = replaced.activation.checksum === activation.checksum;
    replaced.end = { reason: isSame ? 'replaced' : 'changed', inTurnOf: at.messageId };
  }
  const time = timeAfter(activations.at(-1));
  const added = { id: randomUUID(), activation, content, ...at, at: time };
  activations.push(added);
  return { added, replaced };
}

/** The records as they were before the loaded message at `position`. */
export function recordsBefore(records: Records, position: number): Records {
  const { messages, activations, compactions, instructions } = records;
  const at = position - (records.earlier?.messages ?? 0);
  const removed = new Set(messages.slice(at).map(({ id }) => id));
  return {
    ...records,
    messages: messages.slice(0, at),
    activations: activations
      .filter(({ messageId }) => !removed.has(messageId))
      .map(({ end, ...record }) =>
        end && (end.inTurnOf === undefined || !removed.has(end.inTurnOf))
          ? { ...record, end }
          : record,
      ),
    compactions: compactions.filter(({ messageId }) => !removed.has(messageId)),
    instructions: new Map([...instructions].filter(([messageId]) => !removed.has(messageId))),
  };
}

/** First message of the conversation; undefined if there is none yet. */
export function firstMessage({ earlier, messages }: Records): UserMessage | undefined {
  return (
    earlier?.first ?? messages.find((message): message is UserMessage => message.role === 'user')
  );
}

/** Adds a compaction that applies from now on. */
export function addCompaction(
  { compactions }: Records,
  compaction: Omit<Compaction, 'id' | 'at'>,
): Compaction {
  const added = { ...compaction, id: randomUUID(), at: timeAfter(compactions.at(-1)) };
  compactions.push(added);
  return added;
}

/**
 * Current time, but later than the previous entry's even if the clock was set back, because the order depends on it.
 */
function timeAfter(last: { at: string } | undefined): string {
  const earliest = last ? Date.parse(last.at) + 1 : 0;
  return new Date(Math.max(Date.now(), earliest)).toISOString();
}

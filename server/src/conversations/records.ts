import { createHash, randomUUID } from 'node:crypto';
import type { Instructions } from '@knowhow/shared/access/preferences';
import type { EndReason } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { ModelImage } from '../models/model.ts';
import type { ActiveSkill, ActiveSkills } from '../skills/activate-skill.ts';
import type { AttachedContent } from './attached-files.ts';

/**
 * A conversation as its requests are made of it: only added to, but for what a retry cuts and for the ends
 * of activations.
 */
export interface Records {
  /** The messages that are not here, as no request is made of them; without, all are here. */
  earlier?: Earlier;
  /** In pairs: a user's message and the answer to it, the last one as far as it is. */
  messages: Message[];
  /** By id of the answer; none for one that called no tool. */
  answers: Map<string, AnswerRecord>;
  /** In the order in which they became active. */
  activations: ActivationRecord[];
  /** In the order in which they were made; the last one counts. */
  compactions: Compaction[];
  /** By id of a user's message: the skills that are named to models with it. */
  named: Map<string, readonly NamedSkill[]>;
  /** By id of the user's message from which on it holds, in their order; also of messages that are not here. */
  instructions: Map<string, Instructions>;
  /** What models get of the files that users' messages came with, by their ids. */
  attached: Map<string, AttachedContent>;
  /** Whether a file with a text is attached, also to a message that is not here. */
  hasTexts: boolean;
}

/** What is known of messages that are not loaded. */
export interface Earlier {
  /** How many turns these are, and how many messages. */
  turns: number;
  messages: number;
  /** Of all their texts. */
  characters: number;
  /** The one that the conversation begins with. */
  first: UserMessage;
  /** Ids of the skills that results of their calls tell of. */
  skills: readonly string[];
}

type UserMessage = Extract<Message, { role: 'user' }>;

/** A skill that a message brought up, as it was described then. */
export interface NamedSkill {
  id: string;
  description: string;
}

/** What of a conversation is no longer sent, as it does not fit. */
export interface Compaction {
  id: string;
  /** The user's message in whose turn it was made. */
  messageId: string;
  /** Turns before this one are left out, counted from 0. */
  keptFrom: number;
  /** Results before this call of this turn are a line each. */
  cleared: Point;
  /** What is sent in place of what is left out. */
  summary?: string;
  /** Ids of the skills that the summary may tell of. */
  skills: readonly string[];
  /** ISO 8601, UTC. */
  at: string;
}

/** A call of a turn, both counted from 0. */
export interface Point {
  turn: number;
  call: number;
}

/** What came with the calls of an answer and is not shown in the chat. */
export interface AnswerRecord {
  /** In the order of the answer's `toolCalls`. */
  results: ToolRecord[];
  /** What the vendor wants back, by number of the answer's `rounds`. */
  states: Map<number, unknown>;
}

/** What a tool gave to the model. */
export interface ToolRecord {
  /** Empty where it is the text of an activation. */
  content: string;
  isError: boolean;
  images?: ModelImage[];
  /** Ids of the skills it tells of. */
  skills: readonly string[];
  /** Milliseconds that it took. */
  ms: number;
}

/** A skill in a conversation, from where it came in to its end. */
export interface ActivationRecord extends ActiveSkill {
  id: string;
  /** The user's message in whose turn it became active. */
  messageId: string;
  /** Number of the call in whose result its text is; without, it is in the user's message. */
  call?: number;
  /** ISO 8601, UTC. */
  at: string;
  end?: ActivationEnd;
}

export interface ActivationEnd {
  reason: EndReason;
  /** The user's message in whose turn it ended; without, it was between two turns. */
  inTurnOf?: string;
  /** ISO 8601, UTC; without, it is not stored yet. */
  at?: string;
}

/** Those of a conversation that begins. */
export function noRecords(): Records {
  return {
    ...{ messages: [], answers: new Map(), activations: [], compactions: [], named: new Map() },
    ...{ instructions: new Map(), attached: new Map(), hasTexts: false },
  };
}

/** Those that have not ended, oldest first. */
export function activeSkillsOf({ activations }: Pick<Records, 'activations'>): ActiveSkills {
  const active = activations.filter(({ end }) => end === undefined);
  return new Map(active.map((record) => [record.activation.name, record]));
}

/** The activation of this name that has not ended. */
function activeNamed(
  { activations }: Pick<Records, 'activations'>,
  name: string,
): ActivationRecord | undefined {
  return activations.find(({ activation, end }) => activation.name === name && !end);
}

/** What a user is shown of an end. */
export function endedSkill({ activation, end }: ActivationRecord): EndedSkill[] {
  return end ? [{ name: activation.name, reason: end.reason }] : [];
}

interface EndedSkill {
  name: string;
  reason: EndReason;
}

/** What is kept of an answer's calls; made where there is none yet. */
export function answerRecord({ answers }: Records, { id }: AssistantMessage): AnswerRecord {
  const known = answers.get(id);
  if (known) {
    return known;
  }
  const made: AnswerRecord = { results: [], states: new Map() };
  answers.set(id, made);
  return made;
}

/** The key of a skill's text. */
export function checksumOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Adds what has just become active. One of the same name ends by it: the newer text holds.
 *
 * @param at where its text is
 */
export function addActivation(
  { activations }: Records,
  { activation, content }: ActiveSkill,
  at: Pick<ActivationRecord, 'messageId' | 'call'>,
): { added: ActivationRecord; replaced: ActivationRecord | undefined } {
  const replaced = activeNamed({ activations }, activation.name);
  if (replaced) {
    const isSame = replaced.activation.checksum === activation.checksum;
    replaced.end = { reason: isSame ? 'replaced' : 'changed', inTurnOf: at.messageId };
  }
  const time = timeAfter(activations.at(-1));
  const added = { id: randomUUID(), activation, content, ...at, at: time };
  activations.push(added);
  return { added, replaced };
}

/** The records as they were before the message at `position` of the conversation, which is loaded. */
export function recordsBefore(records: Records, position: number): Records {
  const { messages, activations, compactions, instructions } = records;
  const at = position - (records.earlier?.messages ?? 0);
  const cut = new Set(messages.slice(at).map(({ id }) => id));
  return {
    ...records,
    messages: messages.slice(0, at),
    activations: activations
      .filter(({ messageId }) => !cut.has(messageId))
      .map(({ end, ...record }) =>
        end && (end.inTurnOf === undefined || !cut.has(end.inTurnOf)) ? { ...record, end } : record,
      ),
    compactions: compactions.filter(({ messageId }) => !cut.has(messageId)),
    instructions: new Map([...instructions].filter(([messageId]) => !cut.has(messageId))),
  };
}

/** The message that the conversation begins with; undefined before there is one. */
export function firstMessage({ earlier, messages }: Records): UserMessage | undefined {
  return (
    earlier?.first ?? messages.find((message): message is UserMessage => message.role === 'user')
  );
}

/** Adds what is left out from now on. */
export function addCompaction(
  { compactions }: Records,
  made: Omit<Compaction, 'id' | 'at'>,
): Compaction {
  const added = { ...made, id: randomUUID(), at: timeAfter(compactions.at(-1)) };
  compactions.push(added);
  return added;
}

/** Now, but after the one before, also where the clock has been set back: their order is taken from it. */
function timeAfter(last: { at: string } | undefined): string {
  const least = last ? Date.parse(last.at) + 1 : 0;
  return new Date(Math.max(Date.now(), least)).toISOString();
}

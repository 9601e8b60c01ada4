import type { Instructions } from '@knowhow/shared/access/preferences';
import type { Activation } from '@knowhow/shared/chat/chat';
import type {
  AssistantMessage,
  ConversationSummary,
  Message,
  MessageStatus,
} from '@knowhow/shared/chat/conversations';
import type { Insertable, Selectable } from 'kysely';
import type { Schema } from '../../platform/storage/schema.ts';
import type { SuggestedSkill } from './records.ts';

type MessageRow = Selectable<Schema['messages']>;
type ActivationRow = Selectable<Schema['activations']>;

export function toSummary(row: Selectable<Schema['conversations']>): ConversationSummary {
  return {
    id: row.id,
    title: row.title,
    appId: row.app_id,
    model: row.model,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.pinned === 1 ? { isPinned: true } : {}),
    ...(row.archived === 1 ? { isArchived: true } : {}),
    ...(row.folder === null ? {} : { folder: row.folder }),
  };
}

/** Skills that are switched off in a conversation. */
export function parseSkillsOff({
  skills_off: stored,
}: Selectable<Schema['conversations']>): string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

/** IDs of the skills ranked by how the conversation began, if they were ranked. */
export function parseRanked({ ranked }: Selectable<Schema['conversations']>): string[] | undefined {
  return ranked === null ? undefined : (JSON.parse(ranked) as string[]);
}

/** IDs of the tools the conversation was offered, if not all fit. */
export function parseTools({ tools }: Selectable<Schema['conversations']>): string[] {
  return tools === null ? [] : (JSON.parse(tools) as string[]);
}

/** Serializes names for a column; null for none. */
export function namesColumn(names: readonly string[] = []): string | null {
  return names.length === 0 ? null : JSON.stringify(names);
}

export function toActivation(
  row: Pick<
    ActivationRow,
    | 'name'
    | 'description'
    | 'via'
    | 'tokens'
    | 'checksum'
    | 'arguments'
    | 'version_number'
    | 'version_digest'
  >,
): Activation {
  return {
    name: row.name,
    description: row.description,
    via: row.via as Activation['via'],
    tokens: row.tokens,
    checksum: row.checksum,
    ...(row.version_number === null || row.version_digest === null
      ? {}
      : { version: { number: row.version_number, digest: row.version_digest } }),
    ...(row.arguments === null ? {} : { arguments: row.arguments }),
  };
}

/** Inverse of `messageRow`. */
export function toMessage(row: MessageRow): Message {
  const details: unknown = JSON.parse(row.details);
  const common = { id: row.id, content: row.content, createdAt: row.created_at };
  return row.role === 'user'
    ? { role: 'user', ...common, ...(details as UserDetails) }
    : {
        role: 'assistant',
        ...common,
        status: row.status as MessageStatus,
        ...(details as AnswerDetails),
      };
}

/** Skills suggested to models, by message ID. */
export function parseSuggestedSkills(
  rows: readonly Pick<MessageRow, 'id' | 'named'>[],
): Map<string, readonly SuggestedSkill[]> {
  return new Map(
    rows.flatMap(({ id, named }) =>
      named === null ? [] : [[id, JSON.parse(named) as SuggestedSkill[]]],
    ),
  );
}

/** The user's instructions, by the ID of the message from which they apply. */
export function parseInstructions(
  rows: readonly Pick<MessageRow, 'id' | 'instructions'>[],
): Map<string, Instructions> {
  return new Map(
    rows.flatMap(({ id, instructions }) =>
      instructions === null ? [] : [[id, JSON.parse(instructions) as Instructions]],
    ),
  );
}

/** Context that models receive with a user's message. */
export interface CameWithMessage {
  /** Suggested skills. */
  named: readonly SuggestedSkill[];
  /** The user's instructions from here on, if they differ from those before. */
  instructions: Instructions | undefined;
}

export function messageRow(
  message: Message,
  at: { conversationId: string; position: number },
  { named, instructions }: CameWithMessage = { named: [], instructions: undefined },
): Insertable<Schema['messages']> {
  return {
    id: message.id,
    conversation_id: at.conversationId,
    position: at.position,
    role: message.role,
    content: message.content,
    status: message.role === 'user' ? 'complete' : message.status,
    details: serializeDetails(message),
    created_at: message.createdAt,
    named: named.length === 0 ? null : JSON.stringify(named),
    instructions: instructions === undefined ? null : JSON.stringify(instructions),
  };
}

type Column = 'role' | 'id' | 'content' | 'createdAt' | 'status';
type UserDetails = Omit<Extract<Message, { role: 'user' }>, Column | 'lines'>;
type AnswerDetails = Omit<AssistantMessage, Column | 'feedback' | 'lines'>;

/** The part of a message that is stored as JSON. */
export function serializeDetails(message: Message): string {
  if (message.role === 'user') {
    const { skills, attachments } = message;
    return JSON.stringify({
      skills,
      ...(attachments ? { attachments } : {}),
    } satisfies UserDetails);
  }
  const {
    role: _role,
    id: _id,
    content: _content,
    createdAt: _at,
    status: _status,
    feedback: _feedback,
    lines: _lines,
    ...details
  } = message;
  return JSON.stringify({ ...details, ...endedCalls(message) } satisfies AnswerDetails);
}

/** The calls of an answer that have ended: a running one has no result yet. Calls run one after the other. */
function endedCalls({
  toolCalls,
  rounds = [],
}: AssistantMessage): Pick<AssistantMessage, 'toolCalls' | 'rounds'> {
  const ended = toolCalls.filter(({ isRunning }) => !isRunning);
  const running = toolCalls.length - ended.length;
  const last = rounds.at(-1);
  return running === 0 || !last
    ? { toolCalls }
    : {
        toolCalls: ended,
        rounds: [...rounds.slice(0, -1), { ...last, calls: last.calls - running }],
      };
}

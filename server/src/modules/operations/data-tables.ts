import { randomUUID } from 'node:crypto';
import { instructionsSchema } from '@knowhow/shared/access/preferences';
import { activationVia, endReasons } from '@knowhow/shared/chat/chat';
import { messageSchema, messageStatuses } from '@knowhow/shared/chat/conversations';
import { feedbackValues, maxReasonLength } from '@knowhow/shared/chat/feedback';
import { withoutNul } from '@knowhow/shared/names';
import { z } from 'zod';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { branchRow } from '../conversations/branch-row.ts';
import { toMessage } from '../conversations/conversation-rows.ts';
import { fileContentRow, fileRow } from './rows/file-rows.ts';
import { flag, id, json, name, text, time, title } from './rows/row-columns.ts';
import { userPromptRow } from './rows/user-prompt-row.ts';
import { userRow } from './rows/user-row.ts';

/** Tables of a backup, in the order in which they can be filled. */
export const dataTables = [
  'users',
  'user_prompts',
  'conversations',
  'messages',
  'skill_texts',
  'activations',
  'tool_results',
  'vendor_states',
  'compactions',
  'feedback',
  'files',
  'file_contents',
  'lines',
] as const;
export type DataTable = (typeof dataTables)[number];

/** Tables that a restore of conversations replaces. */
export const conversationTables = dataTables.filter(
  (table) => table !== 'users' && table !== 'user_prompts',
);

/** Primary keys. */
export const keyColumns = {
  users: ['id'],
  user_prompts: ['id'],
  conversations: ['id'],
  messages: ['id'],
  skill_texts: ['checksum'],
  activations: ['id'],
  tool_results: ['message_id', 'number'],
  vendor_states: ['message_id', 'round'],
  compactions: ['id'],
  feedback: ['message_id'],
  files: ['id'],
  file_contents: ['sha256', 'part'],
  lines: ['id'],
} as const satisfies { [Table in DataTable]: readonly (keyof Schema[Table])[] };

/**
 * Columns that a plan checks for uniqueness. Large tables are skipped to save memory; the restore finds their
 * duplicates anyway.
 */
export const uniqueColumns: { [Table in DataTable]: readonly (keyof Schema[Table])[] } = {
  users: ['id', 'username', 'identity'],
  user_prompts: ['id'],
  conversations: ['id'],
  messages: [],
  skill_texts: ['checksum'],
  activations: ['id'],
  tool_results: [],
  vendor_states: [],
  compactions: ['id'],
  feedback: [],
  files: ['id'],
  file_contents: [],
  lines: ['id'],
};

/** Path of a table's rows, in JSON lines. */
export function dataPath(table: DataTable): string {
  return `data/${table}.jsonl`;
}

const conversationRow = z.strictObject({
  id,
  owner: name,
  app_id: name,
  model: name,
  title,
  created_at: time,
  updated_at: time,
  /** Missing in backups of earlier versions. */
  skills_off: json(z.array(name)).nullable().default(null),
  ranked: json(z.array(name)).nullable().default(null),
  tools: json(z.array(name)).nullable().default(null),
  pinned: flag.default(0),
  archived: flag.default(0),
  folder: name.max(80).nullable().default(null),
});

const messageRow = z
  .strictObject({
    id,
    conversation_id: id,
    position: z.number().int().min(0),
    role: z.enum(['user', 'assistant']),
    content: text,
    status: z.enum(messageStatuses),
    details: json(z.record(z.string(), z.unknown())),
    created_at: time,
    /** Missing in backups of earlier versions. */
    named: json(z.array(z.strictObject({ id: z.string(), description: z.string() })))
      .nullable()
      .default(null),
    instructions: json(instructionsSchema).nullable().default(null),
  })
  .refine((row) => messageSchema.safeParse(toMessage(row)).success, {
    message: 'Not a message as they are stored.',
    path: ['details'],
    when: ({ issues }) => issues.length === 0,
  })
  // The turn that was writing it no longer runs.
  .transform((row) => ({
    ...row,
    status: row.status === 'running' ? ('interrupted' as const) : row.status,
  }));

const checksum = z.string().regex(/^[\da-f]{64}$/);

const skillTextRow = z
  .strictObject({ checksum, content: text })
  .refine((row) => sha256(row.content) === row.checksum, {
    message: 'Not the checksum of this text.',
    path: ['checksum'],
    when: ({ issues }) => issues.length === 0,
  });

/** Earlier versions without row versions had at most one activation per skill. */
const activationRow = z.strictObject({
  id: z
    .string()
    .min(1)
    .default(() => randomUUID()),
  conversation_id: id,
  message_id: id,
  call: z.number().int().min(0).nullable().default(null),
  name,
  description: text,
  via: z.enum(activationVia),
  tokens: z.number().int(),
  checksum: text,
  arguments: text.nullable(),
  text: checksum.nullable().default(null),
  created_at: time,
  ended_at: time.nullable().default(null),
  end_reason: z.enum(endReasons).nullable().default(null),
  ended_in: id.nullable().default(null),
});

const toolResultRow = z.strictObject({
  message_id: id,
  number: z.number().int().min(0),
  conversation_id: id,
  content: text,
  is_error: z.union([z.literal(0), z.literal(1)]),
  images: json(z.array(z.strictObject({ mediaType: z.string(), data: z.string() }))).nullable(),
  skills: json(z.array(z.string())),
  ms: z.number().int().min(0),
});

const vendorStateRow = z.strictObject({
  message_id: id,
  round: z.number().int().min(0),
  conversation_id: id,
  state: json(z.unknown()),
});

const compactionRow = z.strictObject({
  id: z.string().min(1),
  conversation_id: id,
  message_id: id,
  kept_from: z.number().int().min(0),
  cleared_turn: z.number().int().min(0),
  cleared_call: z.number().int().min(0),
  summary: text.nullable(),
  skills: json(z.array(z.string())),
  created_at: time,
});

const feedbackRow = z.strictObject({
  message_id: id,
  conversation_id: id,
  value: z.enum(feedbackValues),
  reason: z.string().max(maxReasonLength).transform(withoutNul).nullable(),
  updated_at: time,
});

/** Schemas that rows of a backup must match. */
export const rowSchemas = {
  users: userRow,
  user_prompts: userPromptRow,
  conversations: conversationRow,
  messages: messageRow,
  skill_texts: skillTextRow,
  activations: activationRow,
  tool_results: toolResultRow,
  vendor_states: vendorStateRow,
  compactions: compactionRow,
  feedback: feedbackRow,
  files: fileRow,
  file_contents: fileContentRow,
  lines: branchRow,
} satisfies { [Table in DataTable]: z.ZodType<Schema[Table]> };

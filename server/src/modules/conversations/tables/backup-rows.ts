import { randomUUID } from 'node:crypto';
import { instructionsSchema } from '@knowhow/shared/access/preferences';
import { activationVia, endReasons } from '@knowhow/shared/chat/chat';
import { messageSchema, messageStatuses } from '@knowhow/shared/chat/conversations';
import { feedbackValues, maxReasonLength } from '@knowhow/shared/chat/feedback';
import { withoutNul } from '@knowhow/shared/names';
import { z } from 'zod';
import { sha256 } from '../../../platform/lib/sha256.ts';
import { flag, id, json, name, text, time, title } from '../../../platform/storage/row-columns.ts';
import { toMessage } from '../conversation-rows.ts';

// Schemas of rows in backups.

export const conversationRow = z.strictObject({
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

export const messageRow = z
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

export const skillTextRow = z
  .strictObject({ checksum, content: text })
  .refine((row) => sha256(row.content) === row.checksum, {
    message: 'Not the checksum of this text.',
    path: ['checksum'],
    when: ({ issues }) => issues.length === 0,
  });

/** Earlier versions without row versions had at most one activation per skill. */
export const activationRow = z.strictObject({
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
  /** Missing in backups of earlier versions. */
  version_number: z.number().int().min(1).nullable().default(null),
  version_digest: checksum.nullable().default(null),
});

export const toolResultRow = z.strictObject({
  message_id: id,
  number: z.number().int().min(0),
  conversation_id: id,
  content: text,
  is_error: z.union([z.literal(0), z.literal(1)]),
  images: json(z.array(z.strictObject({ mediaType: z.string(), data: z.string() }))).nullable(),
  skills: json(z.array(z.string())),
  ms: z.number().int().min(0),
});

export const vendorStateRow = z.strictObject({
  message_id: id,
  round: z.number().int().min(0),
  conversation_id: id,
  state: json(z.unknown()),
});

export const compactionRow = z.strictObject({
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

export const feedbackRow = z.strictObject({
  message_id: id,
  conversation_id: id,
  value: z.enum(feedbackValues),
  reason: z.string().max(maxReasonLength).transform(withoutNul).nullable(),
  updated_at: time,
});

/** Ends to apply to activations of earlier messages when a branch is restored. */
const endsSchema = z.array(
  z.strictObject({
    id: z.string(),
    ended_at: time.nullable(),
    end_reason: z.enum(endReasons).nullable(),
    ended_in: id.nullable(),
  }),
);

/** An archived branch. */
export const branchRow = z.strictObject({
  id,
  conversation_id: id,
  position: z.number().int().min(0),
  ends: json(endsSchema),
  bytes: z.number().int().min(0),
  created_at: time,
  /** Missing in older backups. */
  is_comparison: flag.default(0),
});

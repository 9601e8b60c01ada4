import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { questionSchema, storedFileSchema, toolLabelSchema } from '../config/tools.ts';
import { endpoint, forChat, streamEndpoint } from '../endpoint.ts';
import { withoutNul } from '../names.ts';
import { maxFilesAttached } from './attachments.ts';

/**
 * How a skill was activated: by the model; by the user in the chat (`slash`) or the
 * OpenAI-compatible API (`api`); because the app always uses it; or by a router model.
 */
export const activationVia = ['model', 'slash', 'api', 'app', 'router'] as const;

/** A version of a skill: its number, and the SHA-256 in hex over its files. */
export const versionNameSchema = z.object({ number: z.number().int(), digest: z.string() });

export const activationSchema = z.object({
  name: z.string(),
  description: z.string(),
  via: z.enum(activationVia),
  /** Estimated tokens of the instructions. */
  tokens: z.number().int(),
  checksum: z.string(),
  /** The version that was loaded; unknown for files without a version. */
  version: versionNameSchema.optional(),
  /** The text after `/name`, if the instructions have a placeholder for it. */
  arguments: z.string().optional(),
  /** The router model's reason for choosing it. */
  reason: z.string().optional(),
  /** Whether the skill has been changed since; activating it again loads the current text. */
  isOutdated: z.boolean().optional(),
});
export type Activation = z.infer<typeof activationSchema>;

/** `aborted` by its user; `interrupted` by anything else, such as a server shutdown. */
export const finishReasons = ['stop', 'length', 'tool-limit', 'aborted', 'interrupted'] as const;
export type FinishReason = (typeof finishReasons)[number];

/**
 * Why a skill was deactivated: by its user; by a permission, switch or file change; because it was
 * activated again with a newer text (`changed`) or other arguments (`replaced`); because the app no
 * longer offers or always uses it; because too many were active or the conversation was inactive
 * for too long (`limit`).
 */
export const endReasons = [
  'user',
  'not-available',
  'blocked',
  'changed',
  'replaced',
  'app',
  'limit',
] as const;
export type EndReason = (typeof endReasons)[number];

/**
 * How a request was fitted into the context window: tool results cleared, older messages
 * summarized, or omitted without a summary.
 */
export const fittingCodes = ['results-cleared', 'summarised', 'left-out'] as const;
export type FittingCode = (typeof fittingCodes)[number];

/** The same; or old branches of the conversation were pruned. */
export const noticeCodes = [...fittingCodes, 'lines-dropped'] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/** Work that delays the answer; sent when it starts, and not stored. */
export const workCodes = ['choosing-skills', 'summarising'] as const;
export type WorkCode = (typeof workCodes)[number];

/** Accepts upper and lower case; stored in lower case. */
const id = z.uuid().toLowerCase();

/** Why a turn failed. */
export const turnErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** For administrators only: the provider's error message, without key and URL. */
  reason: z.string().optional(),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/**
 * The events of one turn, in order, numbered from 1. Exactly one `done` or `error` is the last. A
 * client that resumes may get consecutive `chunk` or `thinking` events merged into one, with the
 * number of the last.
 */
export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.start'),
    conversationId: id,
    messageId: id,
    userMessageId: id,
    model: z.string(),
    activeSkills: z.array(z.string()),
  }),
  z.object({ type: z.literal('chunk'), content: z.string() }),
  z.object({ type: z.literal('thinking'), content: z.string() }),
  /**
   * The last characters of the text so far were thinking: the model closed a block that it had not
   * opened.
   */
  z.object({ type: z.literal('chunk.was-thinking'), characters: z.number().int().min(0) }),
  activationSchema.extend({ type: z.literal('skill.activation') }),
  z.object({
    type: z.literal('skill.ended'),
    name: z.string(),
    reason: z.enum(endReasons),
    /** Why an administrator blocked it, if users may know. */
    note: z.string().optional(),
  }),
  /** Whether an active skill has been changed since its activation; initially, none has. */
  z.object({ type: z.literal('skill.outdated'), name: z.string(), isOutdated: z.boolean() }),
  z.object({
    type: z.literal('tool.call.start'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    /** Index of its round in the answer's `rounds`; the round's text ends where its first call starts. */
    round: z.number().int().min(0),
    /** For a tool other than our skill tools. */
    ...toolLabelSchema.partial().shape,
  }),
  /** Progress of a call. */
  z.object({ type: z.literal('tool.progress'), id: z.string(), text: z.string() }),
  /** A call waits for the user's approval: `tools.consent`. All texts come from our registry. */
  z.object({
    type: z.literal('tool.consent'),
    id: z.string(),
    name: z.string(),
    ...toolLabelSchema.shape,
    input: z.unknown(),
    /** Whether the tool may change or delete something. */
    isDestructive: z.boolean(),
    /** Whether that is assumed, because there is no trusted description. */
    isAssumed: z.boolean().optional(),
    /** ISO 8601, UTC; afterwards it counts as denied. */
    expiresAt: z.string(),
  }),
  /** A call waits for the user's answer: `tools.answer`. */
  z.object({
    type: z.literal('tool.question'),
    id: z.string(),
    /** Id of the question, unique in the conversation. */
    question: z.string(),
    ...toolLabelSchema.shape,
    ...questionSchema.shape,
    expiresAt: z.string(),
  }),
  /** The call no longer waits. */
  z.object({ type: z.literal('tool.answered'), id: z.string() }),
  z.object({
    type: z.literal('tool.call.end'),
    id: z.string(),
    name: z.string(),
    error: z.boolean().optional(),
    summary: z.string().optional(),
    /** Duration in milliseconds, without waiting for the user. */
    ms: z.number().int().optional(),
    /** Files created by the call. */
    files: z.array(storedFileSchema).optional(),
  }),
  z.object({
    type: z.literal('usage'),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
  }),
  z.object({
    type: z.literal('notice'),
    code: z.enum([...noticeCodes, ...workCodes]),
    message: z.string(),
  }),
  z.object({ type: z.literal('done'), finishReason: z.enum(finishReasons) }),
  z.object({ type: z.literal('error'), ...turnErrorSchema.shape }),
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

/** The last event of a turn. */
export type TurnEnd = Extract<ChatEvent, { type: 'done' | 'error' }>;

/** Maximum length of a user's message, in characters. */
export const maxMessageLength = 100_000;

/** Maximum number of skills picked with one message. */
export const maxSkillsPicked = 5;

/** Maximum number of skills disabled in a conversation. */
export const maxSkillsOff = 200;

const conversationParams = z.strictObject({ appId: itemIdSchema, conversationId: id });

export const chatApi = {
  turn: streamEndpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId',
    ...forChat,
    summary:
      'One turn: a message in, events out. A conversation with a version 8 UUID is temporary: it is only kept in memory',
    params: conversationParams,
    body: z
      .strictObject({
        message: z
          .string()
          .max(maxMessageLength, `A message has at most ${maxMessageLength} characters.`),
        /** Ids of uploaded files (`files.upload`); with files, the message may be empty. */
        attachments: z.array(z.string().min(1).max(100)).max(maxFilesAttached).optional(),
        /** Names of skills to activate before the model is asked. */
        skills: z.array(z.string().min(1).max(300)).max(maxSkillsPicked).optional(),
        /**
         * Names of skills to disable in this conversation from now on; omitted: unchanged. Skills
         * in `skills` are used anyway and enabled again.
         */
        skillsOff: z.array(z.string().min(1).max(300)).max(maxSkillsOff).optional(),
        model: itemIdSchema.optional(),
        /**
         * A user's message to replace (edit, retry): it and all messages after it are archived as a
         * branch.
         */
        replaces: id.optional(),
        /**
         * The last message that the client has seen: fails with `changed-meanwhile` if there are
         * newer ones.
         */
        after: id.optional(),
        /**
         * The user id that the client believes it is signed in as, from `auth.me`. Fails with
         * `not-signed-in` if that has changed, for example because the session has ended.
         */
        user: z.string().min(1).max(200).optional(),
      })
      .refine(
        ({ message, attachments = [] }) =>
          attachments.length > 0 || withoutNul(message).trim() !== '',
        { message: 'Write a message.', path: ['message'] },
      ),
    event: chatEventSchema,
  }),
  compare: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId/compare',
    ...forChat,
    summary:
      'Start a comparison answer to the last question by another model, even while the first one is running. It is read, followed and stopped under the returned id; `lines.change` accepts one of the two',
    params: conversationParams,
    body: z.strictObject({
      /** Id of the user's message, whose text, files and skills are sent. */
      question: id,
      model: itemIdSchema,
      /** As in `turn`. */
      user: z.string().min(1).max(200).optional(),
    }),
    response: z.object({ id }),
  }),
  follow: streamEndpoint({
    method: 'GET',
    path: '/api/conversations/:id/turn',
    ...forChat,
    summary:
      'Follow the running turn after a given event. Available until a minute after its end; 204 if there is nothing to follow',
    params: z.strictObject({ id }),
    query: z.strictObject({
      /** Number of the last received event; alternatively in the header `Last-Event-ID`. */
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      /** Id of the answer that the client follows: 204 if another turn is running. */
      answer: id.optional(),
    }),
    event: chatEventSchema,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId/stop',
    ...forChat,
    summary: 'Stop the running turn and keep the text so far',
    params: conversationParams,
    response: z.object({ stopped: z.boolean() }),
  }),
};

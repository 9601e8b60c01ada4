import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { questionSchema, storedFileSchema } from '../config/tools.ts';
import { endpoint, forChat, streamEndpoint } from '../endpoint.ts';
import { withoutNul } from '../names.ts';
import { maxFilesAttached } from './attachments.ts';

/**
 * How a skill came into a conversation: the model called it, the user named it in the chat (`slash`) or in a
 * request to the OpenAI-compatible API (`api`), the app always uses it, or a model chose it beforehand.
 */
export const activationVia = ['model', 'slash', 'api', 'app', 'router'] as const;

export const activationSchema = z.object({
  name: z.string(),
  description: z.string(),
  via: z.enum(activationVia),
  /** Tokens of the instructions, an estimate. */
  tokens: z.number().int(),
  checksum: z.string(),
  /** What the user wrote after `/name`, where the instructions have a placeholder for it. */
  arguments: z.string().optional(),
  /** Why it was chosen, where a model chose it in a request of its own. */
  reason: z.string().optional(),
  /** Whether the skill has been changed since: who asks for it again gets its text of now. */
  isOutdated: z.boolean().optional(),
});
export type Activation = z.infer<typeof activationSchema>;

/** `aborted` by its user; `interrupted` by whatever else ended it early, such as a server that stops. */
export const finishReasons = ['stop', 'length', 'tool-limit', 'aborted', 'interrupted'] as const;
export type FinishReason = (typeof finishReasons)[number];

/**
 * Why a skill left a conversation: its user ended it; a permission, switch or file took it away; it was
 * activated again with a newer text (`changed`) or with other arguments (`replaced`); the app does not offer
 * it any more, or no longer uses it by itself; more were active than may be, or nobody went on
 * with the conversation for too long (`limit`).
 */
export const endReasons = ['user', 'not-available', 'changed', 'replaced', 'app', 'limit'] as const;
export type EndReason = (typeof endReasons)[number];

/**
 * What was done so that a request finds room in the model's window: results of tools were taken out, older
 * messages summarised, or left out without a summary.
 */
export const fittingCodes = ['results-cleared', 'summarised', 'left-out'] as const;
export type FittingCode = (typeof fittingCodes)[number];

/** The same; or older lines of the conversation were deleted, so that another finds room. */
export const noticeCodes = [...fittingCodes, 'lines-dropped'] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/** What takes a while before the answer goes on; said as it begins, and not kept. */
export const workCodes = ['choosing-skills', 'summarising'] as const;
export type WorkCode = (typeof workCodes)[number];

/** In either spelling; we keep it in small letters. */
const id = z.uuid().toLowerCase();

/** Why a turn failed. */
export const turnErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** For administrators only: what the model's provider said, without key and address. */
  reason: z.string().optional(),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/**
 * The events of one turn, in the order they come, numbered from 1. Exactly one `done` or `error` ends it. Who
 * reads on later may get several `chunk` or `thinking` in a row as one, under the number of the last of them.
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
  /** The last characters of the text so far are thinking: the model ended a block that it had not begun. */
  z.object({ type: z.literal('chunk.was-thinking'), characters: z.number().int().min(0) }),
  activationSchema.extend({ type: z.literal('skill.activation') }),
  z.object({ type: z.literal('skill.ended'), name: z.string(), reason: z.enum(endReasons) }),
  /** Whether an active skill has been changed since it became active; before the first, none has. */
  z.object({ type: z.literal('skill.outdated'), name: z.string(), isOutdated: z.boolean() }),
  z.object({
    type: z.literal('tool.call.start'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    /** Of a tool that is not one of ours for skills: what it and its source are called, for people. */
    title: z.string().optional(),
    source: z.string().optional(),
  }),
  /** What a call is doing. */
  z.object({ type: z.literal('tool.progress'), id: z.string(), text: z.string() }),
  /** A call waits until its user allows it: `tools.consent`. All of it is from our registry. */
  z.object({
    type: z.literal('tool.consent'),
    id: z.string(),
    name: z.string(),
    title: z.string(),
    source: z.string(),
    input: z.unknown(),
    /** Whether the tool may change or delete something. */
    isDestructive: z.boolean(),
    /** Whether that is assumed, since nothing that counts says what the tool does. */
    isAssumed: z.boolean().optional(),
    /** ISO 8601, UTC; after that it counts as denied. */
    expiresAt: z.string(),
  }),
  /** A call waits until its user has answered: `tools.answer`. */
  z.object({
    type: z.literal('tool.question'),
    id: z.string(),
    /** Of the question, within the conversation. */
    question: z.string(),
    title: z.string(),
    source: z.string(),
    ...questionSchema.shape,
    expiresAt: z.string(),
  }),
  /** The call waits no longer. */
  z.object({ type: z.literal('tool.answered'), id: z.string() }),
  z.object({
    type: z.literal('tool.call.end'),
    id: z.string(),
    name: z.string(),
    error: z.boolean().optional(),
    summary: z.string().optional(),
    /** Milliseconds that it took, without waiting for its user. */
    ms: z.number().int().optional(),
    /** What it has made. */
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

/** The longest message a user may send, in characters. */
export const maxMessageLength = 100_000;

/** As many skills can be picked with one message. */
export const maxSkillsPicked = 5;

/** As many skills can be switched off in a conversation. */
export const maxSkillsOff = 200;

const conversationParams = z.strictObject({ appId: itemIdSchema, conversationId: id });

export const chatApi = {
  turn: streamEndpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId',
    ...forChat,
    summary:
      'One turn: a message in, events out. A conversation whose id is a UUID of version 8 is temporary: it is in memory alone',
    params: conversationParams,
    body: z
      .strictObject({
        message: z
          .string()
          .max(maxMessageLength, `A message has at most ${maxMessageLength} characters.`),
        /** Ids of uploaded files (`files.upload`); with one of them, the message may be empty. */
        attachments: z.array(z.string().min(1).max(100)).max(maxFilesAttached).optional(),
        /** Names of skills to activate before the model is asked. */
        skills: z.array(z.string().min(1).max(300)).max(maxSkillsPicked).optional(),
        /**
         * Names of skills that are not to be used in this conversation from here on; without it those of
         * before. One of `skills` is used all the same, and no longer among them.
         */
        skillsOff: z.array(z.string().min(1).max(300)).max(maxSkillsOff).optional(),
        model: itemIdSchema.optional(),
        /** A user's message to replace (edit, retry): it and all after it is put away as a line of its own. */
        replaces: id.optional(),
        /** The last message the sender has seen: refused with `changed-meanwhile` when there are newer ones. */
        after: id.optional(),
        /**
         * Who writes, by the id of `auth.me`: refused as `not-signed-in` when it is somebody else by now,
         * such as a guest after a session has ended.
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
  beside: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId/beside',
    ...forChat,
    summary:
      'Begin a second answer to the last question of a conversation, by another model, also while the first one is written. It is read, followed and stopped under the id that this answers; `lines.change` takes one of both',
    params: conversationParams,
    body: z.strictObject({
      /** Id of the user's message; its words, files and skills are what is asked. */
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
      'Follow the running turn: what came after an event, then what comes. Also for a minute after its end; 204 when there is nothing to follow',
    params: z.strictObject({ id }),
    query: z.strictObject({
      /** The number of the last event that is known; the header `Last-Event-ID` says the same. */
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      /** The id of the answer whose events are known: 204 when the turn is another one. */
      answer: id.optional(),
    }),
    event: chatEventSchema,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/chat/:conversationId/stop',
    ...forChat,
    summary: 'Stop the running turn; what was said so far stays',
    params: conversationParams,
    response: z.object({ stopped: z.boolean() }),
  }),
};

import { z } from 'zod';
import { storedFileSchema, toolLabelSchema, waitsForSchema } from '../config/tools.ts';
import { endpoint, forChat } from '../endpoint.ts';
import { linesSchema } from '../lines.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { lineOf, nameOf } from '../names.ts';
import { sentAttachmentSchema } from './attachments.ts';
import {
  activationSchema,
  type FinishReason,
  noticeCodes,
  turnErrorSchema,
  workCodes,
} from './chat.ts';
import { feedbackBodySchema, feedbackSchema } from './feedback.ts';
import { folderName } from './folder-name.ts';

/** A round of tool calls requested by the model. */
const roundSchema = z.object({
  /** End of the model's text of this round, as an offset in `content`. */
  end: z.number().int(),
  /** Number of `toolCalls` in this round. */
  calls: z.number().int(),
});

/** One request to the model. */
const modelCallSchema = z.object({
  /** Tokens as counted by the provider. */
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Our estimate of the request's tokens. */
  estimated: z.number().int(),
});

/** Accepts upper and lower case; stored in lower case. */
const id = z.uuid().toLowerCase();

export const conversationSummarySchema = z.object({
  id,
  title: z.string(),
  appId: z.string(),
  model: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Pinned to the top of the list. */
  isPinned: z.literal(true).optional(),
  /** Archived: only in the list of archived conversations and in search results. */
  isArchived: z.literal(true).optional(),
  /** Name of its folder. */
  folder: z.string().optional(),
});
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

/** The newest matching message of a conversation. */
export const searchHitSchema = z.object({
  messageId: id,
  /** An excerpt around the words, in one line. */
  text: z.string(),
  /** Positions of the words: start and end (exclusive). */
  marks: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

const foundConversationSchema = conversationSummarySchema.extend({
  /** In search results, unless only the title matches. */
  hit: searchHitSchema.optional(),
});
export type FoundConversation = z.infer<typeof foundConversationSchema>;

/** `running` while it is being written; `interrupted` if the server stopped meanwhile. */
export const messageStatuses = ['complete', 'running', 'stopped', 'failed', 'interrupted'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** The status of an answer that has ended without an error. */
export function statusForFinishReason(reason: FinishReason): MessageStatus {
  if (reason === 'aborted') {
    return 'stopped';
  }
  return reason === 'interrupted' ? 'interrupted' : 'complete';
}

export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  error: z.boolean(),
  summary: z.string(),
  /** For a tool other than our skill tools: its label and the duration. */
  ...toolLabelSchema.partial().shape,
  ms: z.number().int().optional(),
  /** Files created by the call. */
  files: z.array(storedFileSchema).optional(),
  /** Only while following the turn, never stored: what the call is doing or waiting for. */
  isRunning: z.boolean().optional(),
  progress: z.string().optional(),
  waitsFor: waitsForSchema.optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const userMessageSchema = z.object({
  role: z.literal('user'),
  id,
  content: z.string(),
  /** Skills that the user picked with this message. */
  skills: z.array(z.string()),
  /** In order; omitted if there are none. */
  attachments: z.array(sentAttachmentSchema).optional(),
  /** Other branches that begin here with another message. */
  lines: linesSchema.optional(),
  createdAt: z.string(),
});
export type UserMessage = z.infer<typeof userMessageSchema>;

export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  id,
  content: z.string(),
  thinking: z.string(),
  model: z.string(),
  status: z.enum(messageStatuses),
  /** `length`, `tool-limit` and the like, once it has ended. */
  finishReason: z.string().optional(),
  error: turnErrorSchema.optional(),
  activations: z.array(activationSchema),
  ended: z.array(
    z.object({
      name: z.string(),
      reason: z.string(),
      /** Why an administrator blocked it, if users may know; as it was then. */
      note: z.string().optional(),
    }),
  ),
  toolCalls: z.array(toolCallSchema),
  /** The model's tool requests, in order; its final text comes after them. */
  rounds: z.array(roundSchema).optional(),
  /** How the conversation was fitted into the context window. */
  notices: z.array(z.enum(noticeCodes)).optional(),
  /** Work in progress, only while following the turn; never stored. */
  doing: z.enum(workCodes).optional(),
  usage: z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() }).optional(),
  /** The model requests that `usage` sums up, in order. */
  modelCalls: z.array(modelCallSchema).optional(),
  /** Feedback of its owner. */
  feedback: feedbackSchema.optional(),
  /** Other branches that begin with the same user message. */
  lines: linesSchema.optional(),
  createdAt: z.string(),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

export const messageSchema = z.discriminatedUnion('role', [
  userMessageSchema,
  assistantMessageSchema,
]);
export type Message = z.infer<typeof messageSchema>;

export const conversationSchema = conversationSummarySchema.extend({
  messages: z.array(messageSchema),
  /** Active skills, oldest first. */
  activeSkills: z.array(activationSchema),
  /** Older messages that no longer fit the context window; they are still in `messages`. */
  leftOut: z
    .object({
      /** The first message that models get. */
      before: id,
      /** The summary that replaces earlier messages. */
      summary: z.string().optional(),
    })
    .optional(),
  /** Names of skills that its owner has disabled in it. */
  skillsOff: z.array(z.string()),
  /**
   * Id of a comparison answer to the last question, started by `chat.compare`, until one of the two
   * is accepted (`lines.change`) or the conversation continues. The id names a conversation with
   * that question and answer.
   */
  comparison: id.optional(),
});
export type Conversation = z.infer<typeof conversationSchema>;

const params = z.strictObject({ id });

export const conversationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/conversations',
    ...forChat,
    inFrame: false,
    summary:
      'Your conversations, pinned first, then newest; archived ones separately or in a search',
    query: pageQuery.extend({
      query: searchQuery,
      archived: z.enum(['true', 'false']).optional(),
      /** Conversations in this folder; empty for those without a folder. */
      folder: lineOf(80).optional(),
    }),
    response: listOf(foundConversationSchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/conversations/:id',
    ...forChat,
    summary: 'One conversation with its messages',
    params,
    response: conversationSchema,
  }),
  title: endpoint({
    method: 'GET',
    path: '/api/conversations/:id/title',
    ...forChat,
    summary: 'The title of a conversation; waits for a title that a model is generating',
    params,
    response: z.object({ title: z.string() }),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/conversations/:id',
    ...forChat,
    inFrame: false,
    summary: 'Rename, pin or archive a conversation, or move it to a folder',
    params,
    body: z
      .strictObject({
        title: nameOf(200).optional(),
        pinned: z.boolean().optional(),
        /** Archiving also unpins; a new message restores it. */
        archived: z.boolean().optional(),
        /** `null` removes it from its folder. */
        folder: folderName.nullable().optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'Say what is to change.'),
    response: conversationSummarySchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/conversations/:id',
    ...forChat,
    inFrame: false,
    summary: 'Delete a conversation and all its messages',
    params,
    response: z.void(),
  }),
  giveFeedback: endpoint({
    method: 'PUT',
    path: '/api/messages/:id/feedback',
    ...forChat,
    summary: 'Give feedback on one of your answers; `value: null` removes it',
    params,
    body: feedbackBodySchema,
    response: z.void(),
  }),
  endSkill: endpoint({
    method: 'DELETE',
    path: '/api/conversations/:id/skills/:name',
    ...forChat,
    summary: 'Deactivate a skill for later turns',
    params: params.extend({ name: z.string().min(1).max(300) }),
    response: z.void(),
  }),
};

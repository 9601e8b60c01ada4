import { z } from 'zod';
import { storedFileSchema, waitsForSchema } from '../config/tools.ts';
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
import { modelCallSchema, roundSchema } from './rounds.ts';

/** In either spelling; we keep it in small letters. */
const id = z.uuid().toLowerCase();

export const conversationSummarySchema = z.object({
  id,
  title: z.string(),
  appId: z.string(),
  model: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** It comes first in the list. */
  isPinned: z.literal(true).optional(),
  /** It is put away: only in the list of those, and found by a search. */
  isArchived: z.literal(true).optional(),
  /** The name of the folder it is in. */
  folder: z.string().optional(),
});
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

/** The newest message of a conversation that a search has found. */
export const searchHitSchema = z.object({
  messageId: id,
  /** What it says where the words are, in one line. */
  text: z.string(),
  /** Where they are: their first characters, and the ones behind them. */
  marks: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

const foundConversationSchema = conversationSummarySchema.extend({
  /** In a search, unless only the title was found. */
  hit: searchHitSchema.optional(),
});
export type FoundConversation = z.infer<typeof foundConversationSchema>;

/** `running` while it is written; `interrupted` when the server went away meanwhile. */
export const messageStatuses = ['complete', 'running', 'stopped', 'failed', 'interrupted'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** What becomes of an answer that has not failed. */
export function statusAfter(reason: FinishReason): MessageStatus {
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
  /** Of a tool that is not one of ours for skills: what it and its source are called, and its milliseconds. */
  title: z.string().optional(),
  source: z.string().optional(),
  ms: z.number().int().optional(),
  /** What it has made. */
  files: z.array(storedFileSchema).optional(),
  /** Where a client follows the turn, and never stored: what the call is doing, or waits for. */
  isRunning: z.boolean().optional(),
  progress: z.string().optional(),
  waitsFor: waitsForSchema.optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const userMessageSchema = z.object({
  role: z.literal('user'),
  id,
  content: z.string(),
  /** Skills the user chose with this message. */
  skills: z.array(z.string()),
  /** In their order; left out where there are none. */
  attachments: z.array(sentAttachmentSchema).optional(),
  /** The other lines that begin here with other words. */
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
  /** `length`, `tool-limit` and the like, once it ended. */
  finishReason: z.string().optional(),
  error: turnErrorSchema.optional(),
  activations: z.array(activationSchema),
  ended: z.array(z.object({ name: z.string(), reason: z.string() })),
  toolCalls: z.array(toolCallSchema),
  /** The model's requests for tools, in their order; its last words come after them. */
  rounds: z.array(roundSchema).optional(),
  /** What was done for it so that the conversation finds room in the model's window. */
  notices: z.array(z.enum(noticeCodes)).optional(),
  /** What is being done before it goes on, where a client follows its turn; never stored. */
  doing: z.enum(workCodes).optional(),
  usage: z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() }).optional(),
  /** What `usage` is the sum of, in their order. */
  modelCalls: z.array(modelCallSchema).optional(),
  /** What its owner thinks of it. */
  feedback: feedbackSchema.optional(),
  /** The other lines that begin with the same words of the user. */
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
  /** What models no longer get, as there is no room for it; all of it is still in `messages`. */
  leftOut: z
    .object({
      /** The first message that they get. */
      before: id,
      /** What they get in place of those before it. */
      summary: z.string().optional(),
    })
    .optional(),
  /** Names of skills that its owner does not want used in it. */
  skillsOff: z.array(z.string()),
  /**
   * Id of another answer to the last question, begun by `chat.beside`, until one of both is taken (`lines.change`) or
   * the conversation goes on. Under it, that question and that answer are a conversation.
   */
  beside: id.optional(),
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
      "The user's own conversations, pinned ones first, then the newest; archived ones by themselves or in a search",
    query: pageQuery.extend({
      query: searchQuery,
      archived: z.enum(['true', 'false']).optional(),
      /** Those in it; empty for those in none. */
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
    summary: 'What a conversation is called; waits for a title that a model is writing',
    params,
    response: z.object({ title: z.string() }),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/conversations/:id',
    ...forChat,
    inFrame: false,
    summary: 'Give a conversation another title, pin it, archive it, put it into a folder',
    params,
    body: z
      .strictObject({
        title: nameOf(200).optional(),
        pinned: z.boolean().optional(),
        /** What is archived is not pinned any more; a new message brings it back. */
        archived: z.boolean().optional(),
        /** `null` takes it out of its folder. */
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
    summary: 'Say what you think of an answer of your own; `value: null` takes it back',
    params,
    body: feedbackBodySchema,
    response: z.void(),
  }),
  endSkill: endpoint({
    method: 'DELETE',
    path: '/api/conversations/:id/skills/:name',
    ...forChat,
    summary: 'End an activation: the skill is no longer carried into later turns',
    params: params.extend({ name: z.string().min(1).max(300) }),
    response: z.void(),
  }),
};

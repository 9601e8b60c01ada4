import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { assistantMessageSchema, userMessageSchema } from './conversations.ts';

/** Optional content of a shared conversation. */
export const sharedExtras = ['files', 'details'] as const;
export type SharedExtra = (typeof sharedExtras)[number];

const choices = {
  /** Pictures and files, attached or created. */
  files: z.boolean(),
  /** Reasoning, tool calls with results, and instructions of skills. */
  details: z.boolean(),
  /** Whether anyone with the link may read it, even without an account. */
  isPublic: z.boolean(),
};

/** A link to a snapshot of a conversation. */
export const shareSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** Relative to the root of this server. */
  path: z.string(),
  title: z.string(),
  ...choices,
  messages: z.number().int(),
  createdAt: z.iso.datetime(),
  /** Time of the snapshot. */
  sharedAt: z.iso.datetime(),
});
export type Share = z.infer<typeof shareSchema>;

const sharedAnswerSchema = assistantMessageSchema.extend({
  /** Results of its calls, in order; null for those that are not shared. */
  results: z.array(z.string().nullable()).optional(),
  /** Instructions of skills that were activated, by name. */
  instructions: z.record(z.string(), z.string()).optional(),
});
export type SharedAnswer = z.infer<typeof sharedAnswerSchema>;

/** The content that readers of the link see. */
export const sharedConversationSchema = z.object({
  title: z.string(),
  sharedAt: z.iso.datetime(),
  /** Name of its owner: only for signed-in readers. */
  by: z.string().optional(),
  /** Content of the conversation that the snapshot omits. */
  without: z.array(z.enum(sharedExtras)),
  messages: z.array(z.discriminatedUnion('role', [userMessageSchema, sharedAnswerSchema])),
});
export type SharedConversation = z.infer<typeof sharedConversationSchema>;

const ofConversation = z.strictObject({ id: z.uuid().toLowerCase() });
const token = z.string().min(1).max(100);

/** Links to conversations. Not available with an API key. */
export const sharingApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/conversations/:id/share',
    access: 'user',
    summary: 'The share link of one of your conversations, if any, and what could be shared',
    params: ofConversation,
    response: z.object({
      share: shareSchema.optional(),
      messages: z.number().int(),
      /** Optional content of the conversation. */
      extras: z.array(z.enum(sharedExtras)),
      /** Whether public links are allowed. */
      mayBePublic: z.boolean(),
      /** Whether the conversation has changed since it was shared. */
      isOutdated: z.boolean(),
    }),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/conversations/:id/share',
    access: 'user',
    summary:
      'Share a snapshot of a conversation; an existing link stays and shows the new snapshot',
    params: ofConversation,
    body: z.strictObject(choices),
    response: shareSchema,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/account/shares',
    access: 'user',
    summary: 'Your share links, newest first',
    query: pageQuery,
    response: listOf(shareSchema),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/account/shares/:id',
    access: 'user',
    summary: 'Disable a link and delete its snapshot',
    params: z.strictObject({ id: token }),
    response: z.void(),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/shared/:token',
    access: 'public',
    summary:
      'The shared conversation of a link; unknown, disabled and inaccessible links are not distinguished',
    params: z.strictObject({ token }),
    response: sharedConversationSchema,
  }),
  file: fileEndpoint({
    method: 'GET',
    path: '/api/shared/:token/files/:id',
    access: 'public',
    isDownload: false,
    summary: 'A file of a shared conversation',
    params: z.strictObject({ token, id: token }),
  }),
};

import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { assistantMessageSchema, userMessageSchema } from './conversations.ts';

/** What a shared conversation holds beside the words. */
export const sharedExtras = ['files', 'details'] as const;
export type SharedExtra = (typeof sharedExtras)[number];

const choices = {
  /** Pictures and files, attached or made. */
  files: z.boolean(),
  /** What went on behind the answers: thinking, calls of tools with what they gave, and the texts of skills. */
  details: z.boolean(),
  /** Whether it is for everybody who has the link, also without an account. */
  isPublic: z.boolean(),
};

/** A link to a conversation as it was once. */
export const shareSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** Below the root of this server. */
  path: z.string(),
  title: z.string(),
  ...choices,
  messages: z.number().int(),
  createdAt: z.iso.datetime(),
  /** As of when it shows the conversation. */
  sharedAt: z.iso.datetime(),
});
export type Share = z.infer<typeof shareSchema>;

const sharedAnswerSchema = assistantMessageSchema.extend({
  /** What its calls gave, in their order; null for what is not shared. */
  results: z.array(z.string().nullable()).optional(),
  /** The texts of skills that became active, by their names. */
  instructions: z.record(z.string(), z.string()).optional(),
});
export type SharedAnswer = z.infer<typeof sharedAnswerSchema>;

/** What whoever has the link sees. */
export const sharedConversationSchema = z.object({
  title: z.string(),
  sharedAt: z.iso.datetime(),
  /** Whose it is: for those who are signed in. */
  by: z.string().optional(),
  /** What the conversation has, and this does not show. */
  without: z.array(z.enum(sharedExtras)),
  messages: z.array(z.discriminatedUnion('role', [userMessageSchema, sharedAnswerSchema])),
});
export type SharedConversation = z.infer<typeof sharedConversationSchema>;

const ofConversation = z.strictObject({ id: z.uuid().toLowerCase() });
const token = z.string().min(1).max(100);

/** Links to conversations, for others to read. None of them is made or ended with a key. */
export const sharingApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/conversations/:id/share',
    access: 'user',
    summary: 'The link to a conversation of your own, if there is one, and what one would show',
    params: ofConversation,
    response: z.object({
      share: shareSchema.optional(),
      messages: z.number().int(),
      /** What the conversation has that can be shared with it. */
      extras: z.array(z.enum(sharedExtras)),
      /** Whether a link may be for everybody. */
      mayBePublic: z.boolean(),
      /** Whether something was said since it was shared. */
      isOutdated: z.boolean(),
    }),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/conversations/:id/share',
    access: 'user',
    summary:
      'Share a conversation as it is now; a link that there is stays, and shows this from now on',
    params: ofConversation,
    body: z.strictObject(choices),
    response: shareSchema,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/account/shares',
    access: 'user',
    summary: 'The links to your conversations, the newest first',
    query: pageQuery,
    response: listOf(shareSchema),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/account/shares/:id',
    access: 'user',
    summary: 'End a link: what it shows is gone for everybody',
    params: z.strictObject({ id: token }),
    response: z.void(),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/shared/:token',
    access: 'public',
    summary:
      'What a link shows; a wrong one, one that has ended and one that is not for you are the same',
    params: z.strictObject({ token }),
    response: sharedConversationSchema,
  }),
  file: fileEndpoint({
    method: 'GET',
    path: '/api/shared/:token/files/:id',
    access: 'public',
    isDownload: false,
    summary: 'A file that is shared with a conversation',
    params: z.strictObject({ token, id: token }),
  }),
};

import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { withoutHiddenCharacters } from '../names.ts';

/** Maximum length of a comment, a message or a reply, in characters. */
export const maxCommentLength = 2000;
/** Maximum length of a question and of an answer that come with a suggestion, in characters each. */
export const maxEvidenceLength = 20_000;
/** Maximum number of a user's open suggestions and requests. */
export const maxOpenItems = 100;

/** Prose for other people. */
export const comment = z.string().overwrite(withoutHiddenCharacters).trim().max(maxCommentLength);

/** Maximum number of comments that an inbox shows. */
export const maxUnreadComments = 200;

export const inboxStates = ['open', 'done', 'granted'] as const;

export const inboxItemSchema = z.object({
  id: z.string(),
  kind: z.enum(['suggestion', 'access']),
  state: z.enum(inboxStates),
  skill: z.object({
    /** The title: for the sender, as it was when they wrote. */
    title: z.string(),
    /** The current name, if the reader has a page about the skill. */
    name: z.string().optional(),
  }),
  /** Display name of the sender; omitted if the account was deleted. */
  from: z.string().optional(),
  createdAt: z.string(),
  comment: z.string(),
  /** A copy of the question and the answer, possibly truncated. */
  evidence: z.object({ question: z.string(), answer: z.string() }).optional(),
  closed: z
    .object({ at: z.string(), by: z.string().optional(), reply: z.string().optional() })
    .optional(),
  /** Whether the reader may grant the requested access. */
  mayGrant: z.boolean(),
  /** Whether the reader may write the skill. */
  mayEdit: z.literal(true).optional(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** A comment on a review that the reader has written, or on which they have commented. */
const commentNoticeSchema = z.object({
  id: z.string(),
  /** Name of the skill. */
  skill: z.string(),
  /** Display name of the author. */
  from: z.string(),
  createdAt: z.string(),
  /** Omitted with `path` for a reader who may no longer see the review. */
  text: z.string().optional(),
  /** The page with the review. */
  path: z.string().optional(),
});
export type CommentNotice = z.infer<typeof commentNoticeSchema>;

/**
 * A review of the reader that was returned. It is listed until its draft is submitted again or discarded; a proposed
 * skill of the reader for 30 days, until it is changed, proposed again or deleted.
 */
const returnedNoticeSchema = commentNoticeSchema.omit({ path: true }).extend({
  /** The page with the draft or skill, for a reader who may still write it. */
  path: z.string().optional(),
});
export type ReturnedNotice = z.infer<typeof returnedNoticeSchema>;

const params = z.strictObject({ id: z.uuid() });

export const inboxApi = {
  suggest: endpoint({
    method: 'POST',
    path: '/api/messages/:id/suggestion',
    ...forChat,
    inFrame: false,
    summary: 'Suggest an improvement of a skill that one of your answers used',
    params,
    body: z.strictObject({
      skill: z.string().min(1).max(300),
      comment: comment.min(1),
      /** Whether the owner also gets a copy of the question and the answer. */
      withExchange: z.boolean().default(false),
    }),
    response: z.void(),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/inbox/summary',
    access: 'user',
    summary: 'Whether you have an inbox, and the number of open items that you have received',
    response: z.object({ isShown: z.boolean(), open: z.number().int() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/inbox',
    access: 'user',
    summary:
      'Suggestions and requests about your skills, or those that you have sent; newest first',
    query: pageQuery.extend({ state: z.enum(['open', 'done', 'sent']).default('open') }),
    response: listOf(inboxItemSchema),
  }),
  comments: endpoint({
    method: 'GET',
    path: '/api/inbox/comments',
    access: 'user',
    summary:
      'Your returned reviews, and unread comments of others on your reviews and on those on which you have commented',
    response: z.object({
      items: z.array(commentNoticeSchema),
      returned: z.array(returnedNoticeSchema),
    }),
  }),
  readComments: endpoint({
    method: 'POST',
    path: '/api/inbox/comments/read',
    access: 'user',
    summary: 'Mark comments as read, so that they leave your inbox',
    body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(maxUnreadComments) }),
    response: z.void(),
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/inbox/:id/close',
    access: 'user',
    summary: 'Close an item that you have received, with an optional reply',
    params,
    body: z.strictObject({ reply: comment.optional() }),
    response: inboxItemSchema,
  }),
  groups: endpoint({
    method: 'GET',
    path: '/api/inbox/:id/groups',
    access: 'user',
    summary: 'Groups of the sender to which an administrator can grant the requested skill',
    params,
    response: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          /** Accounts that get the skill through this group, including those of groups that inherit from it. */
          people: z.number().int(),
          /** Whether visitors without an account belong to it, too. */
          hasGuests: z.boolean(),
        }),
      ),
    }),
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/inbox/:id/grant',
    access: 'user',
    summary: 'Grant the requested skill to a group of the sender, and close the item',
    params,
    body: z.strictObject({ group: z.string().min(1).max(300), reply: comment.optional() }),
    response: inboxItemSchema,
  }),
};

import { z } from 'zod';
import { fileEndpoint, forChat } from '../endpoint.ts';
import { messageStatuses } from './conversations.ts';

/** `zip` is that JSON, as `knowhow.json`, with the files that were attached. */
export const exportFormats = ['markdown', 'html', 'json', 'zip'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const exportedCallSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  input: z.unknown().optional(),
  isError: z.boolean(),
  /** What it gave; null where that is not known, or not for whoever exports it. */
  result: z.string().nullable(),
});

const exportedQuestionSchema = z.object({
  role: z.literal('user'),
  content: z.string(),
  createdAt: z.string(),
  /** Names of skills that were picked with it. */
  skills: z.array(z.string()).optional(),
  /** Files that went with it. */
  files: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        size: z.number(),
        /** Where it is in the zip; left out where there is none, or no room for it. */
        path: z.string().optional(),
      }),
    )
    .optional(),
});

const exportedAnswerSchema = z.object({
  role: z.literal('assistant'),
  content: z.string(),
  createdAt: z.string(),
  /** Of the model: what people call it. */
  model: z.string(),
  status: z.enum(messageStatuses),
  /** Names of skills that became active for it. */
  skills: z.array(z.string()).optional(),
  thinking: z.string().optional(),
  calls: z.array(exportedCallSchema).optional(),
});

/** A conversation in a file of ours. Fields may be added; what there is keeps its meaning as long as `version` is 1. */
export const exportedConversationSchema = z.object({
  format: z.literal('knowhow-conversation'),
  version: z.literal(1),
  id: z.string(),
  title: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  messages: z.array(z.discriminatedUnion('role', [exportedQuestionSchema, exportedAnswerSchema])),
});
export type ExportedConversation = z.infer<typeof exportedConversationSchema>;

export const conversationExportApi = {
  export: fileEndpoint({
    method: 'GET',
    path: '/api/conversations/:id/export',
    isDownload: true,
    ...forChat,
    inFrame: false,
    summary:
      'A conversation of your own as a file: Markdown, HTML, JSON, or a zip of that with the attached files',
    params: z.strictObject({ id: z.uuid().toLowerCase() }),
    query: z.strictObject({
      format: z.enum(exportFormats),
      /** With thinking, and with calls of tools and what they gave. */
      details: z.enum(['true', 'false']).optional(),
    }),
  }),
};

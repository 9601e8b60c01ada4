import { z } from 'zod';
import { fileEndpoint, forChat } from '../endpoint.ts';
import { messageStatuses } from './conversations.ts';

/** `zip` is the JSON, as `knowhow.json`, with the attached files. */
export const exportFormats = ['markdown', 'html', 'json', 'zip'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const exportedCallSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  input: z.unknown().optional(),
  isError: z.boolean(),
  /** Its result; null if unknown or not accessible to the exporter. */
  result: z.string().nullable(),
});

const exportedQuestionSchema = z.object({
  role: z.literal('user'),
  content: z.string(),
  createdAt: z.string(),
  /** Names of skills that were picked with it. */
  skills: z.array(z.string()).optional(),
  /** Attached files. */
  files: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        size: z.number(),
        /** Path in the zip; omitted if there is no zip or the file does not fit. */
        path: z.string().optional(),
      }),
    )
    .optional(),
});

const exportedAnswerSchema = z.object({
  role: z.literal('assistant'),
  content: z.string(),
  createdAt: z.string(),
  /** Displayed name of the model. */
  model: z.string(),
  status: z.enum(messageStatuses),
  /** Names of skills that were activated for it. */
  skills: z.array(z.string()).optional(),
  thinking: z.string().optional(),
  calls: z.array(exportedCallSchema).optional(),
});

/**
 * A conversation in our export format. Fields may be added; existing ones keep their meaning in
 * `version` 1.
 */
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
      'Export one of your conversations as Markdown, HTML, JSON, or a zip with the attached files',
    params: z.strictObject({ id: z.uuid().toLowerCase() }),
    query: z.strictObject({
      format: z.enum(exportFormats),
      /** Includes reasoning, tool calls and their results. */
      details: z.enum(['true', 'false']).optional(),
    }),
  }),
};

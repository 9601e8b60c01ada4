import { z } from 'zod';
import { endpoint, forChat, uploadEndpoint } from '../endpoint.ts';
import { listOf } from '../list.ts';

/** Maximum size of an import file, in bytes; also of its unpacked content. */
export const maxImportBytes = 64 * 1024 * 1024;

export const importFormats = ['chatgpt', 'claude', 'open-webui', 'knowhow'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Content that cannot be imported, by our names; other kinds have the names of the file. */
export const importLosses = [
  'pictures',
  'files',
  'audio',
  'instructions',
  'other-lines',
  'tool-results',
  'cut',
  'unreadable',
] as const;

/** Result or preview of an import. */
export const importReportSchema = z.object({
  formats: z.array(z.enum(importFormats)),
  conversations: z.number().int(),
  messages: z.number().int(),
  /** Number of conversations that an earlier import has already brought: they are skipped. */
  known: z.number().int(),
  /** Number of conversations that are too long to continue. */
  full: z.number().int(),
  /** The first of them. */
  items: z.array(
    z.object({
      title: z.string(),
      messages: z.number().int(),
      updatedAt: z.string(),
      isKnown: z.boolean(),
      /** Whether it is too long to continue: it can be read, searched and exported. */
      isFull: z.boolean(),
    }),
  ),
  /** Content that is imported as plain text or omitted. */
  losses: z.array(z.object({ what: z.string(), count: z.number().int(), isKept: z.boolean() })),
});
export type ImportReport = z.infer<typeof importReportSchema>;

const ofImport = z.strictObject({ id: z.uuid().toLowerCase() });

export const conversationImportApi = {
  plan: uploadEndpoint({
    method: 'POST',
    path: '/api/imports/plan',
    ...forChat,
    inFrame: false,
    summary:
      'Preview the import of an export file of ChatGPT, Claude, Open WebUI or Knowhow: JSON, or a zip with it',
    maxBytes: maxImportBytes,
    response: importReportSchema,
  }),
  import: uploadEndpoint({
    method: 'PUT',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary: 'Import such a file; the id is a new UUID from the client, for progress and undo',
    params: ofImport,
    query: z.strictObject({
      /** App of the imported conversations. */
      app: z.string().min(1).max(200),
    }),
    maxBytes: maxImportBytes,
    response: importReportSchema,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/imports',
    ...forChat,
    inFrame: false,
    summary: 'Your imports with remaining conversations, newest first, for undo',
    response: listOf(
      z.object({
        id: z.string(),
        createdAt: z.string(),
        /** Number of its conversations that still exist. */
        conversations: z.number().int(),
      }),
    ),
  }),
  progress: endpoint({
    method: 'GET',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary: 'Progress of one of your imports',
    params: ofImport,
    response: z.object({ done: z.number().int(), total: z.number().int() }),
  }),
  undo: endpoint({
    method: 'DELETE',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary: 'Delete the conversations of an import, including continued ones',
    params: ofImport,
    response: z.object({ removed: z.number().int() }),
  }),
};

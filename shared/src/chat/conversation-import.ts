import { z } from 'zod';
import { endpoint, forChat, uploadEndpoint } from '../endpoint.ts';
import { listOf } from '../list.ts';

/** The largest file that is imported, in bytes; also of what it unpacks to. */
export const maxImportBytes = 64 * 1024 * 1024;

export const importFormats = ['chatgpt', 'claude', 'open-webui', 'knowhow'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** What a file has that conversations here have not, by names of ours; others are what the file calls them. */
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

/** What comes of a file. */
export const importReportSchema = z.object({
  formats: z.array(z.enum(importFormats)),
  conversations: z.number().int(),
  messages: z.number().int(),
  /** How many of them are here already, from an earlier import: they are not imported again. */
  known: z.number().int(),
  /** How many are too long to be gone on in. */
  full: z.number().int(),
  /** The first of them. */
  items: z.array(
    z.object({
      title: z.string(),
      messages: z.number().int(),
      updatedAt: z.string(),
      isKnown: z.boolean(),
      /** Whether it is too long to be gone on in: it can be read, searched and exported. */
      isFull: z.boolean(),
    }),
  ),
  /** What is not taken as it was: kept as text, or left out. */
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
      'What would come of the export file of ChatGPT, Claude, Open WebUI or Knowhow: JSON, or a zip that holds it',
    maxBytes: maxImportBytes,
    response: importReportSchema,
  }),
  import: uploadEndpoint({
    method: 'PUT',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary:
      'Import such a file; the id is a new UUID of your own, to ask how far it is and to undo it',
    params: ofImport,
    query: z.strictObject({
      /** That the conversations are to belong to. */
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
    summary:
      'Your own imports of which something is here, the newest first, so that one can be undone',
    response: listOf(
      z.object({
        id: z.string(),
        createdAt: z.string(),
        /** How many of its conversations are here. */
        conversations: z.number().int(),
      }),
    ),
  }),
  progress: endpoint({
    method: 'GET',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary: 'How many conversations of an import of your own are here, and of how many',
    params: ofImport,
    response: z.object({ done: z.number().int(), total: z.number().int() }),
  }),
  undo: endpoint({
    method: 'DELETE',
    path: '/api/imports/:id',
    ...forChat,
    inFrame: false,
    summary: 'Delete what an import has brought, also where you have gone on in it',
    params: ofImport,
    response: z.object({ removed: z.number().int() }),
  }),
};

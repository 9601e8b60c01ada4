import { z } from 'zod';
import { storedFileSchema } from '../config/tools.ts';

/** Maximum size of an attached file, in bytes. */
export const maxFileBytes = 32 * 1024 * 1024;

/** Maximum number of files per message. */
export const maxFilesAttached = 20;

/** Kinds of parts in the text of a file, for labels. */
export const partKinds = ['page', 'sheet', 'slide'] as const;

/** Warnings about a file's content that was skipped or may be wrong. */
export const readWarningKinds = [
  /** Pages without text, perhaps scans, by their numbers. */
  'empty-pages',
  'pictures',
  'charts',
  'diagrams',
  'formulas',
  /** Formulas whose results are not stored in the file. */
  'uncalculated',
  'deletions',
  /** Files attached to an email. */
  'attachments',
  'embedded',
  /** Hidden sheets, rows or columns: they are read and marked. */
  'hidden',
  /** The text declares no encoding and was decoded with the named one. */
  'encoding',
  /** The content is text, although the file extension says otherwise. */
  'ending',
] as const;
export type ReadWarningKind = (typeof readWarningKinds)[number];

export const readWarningSchema = z.object({
  kind: z.enum(readWarningKinds),
  count: z.number().int(),
  names: z.array(z.string()).optional(),
});
export type ReadWarning = z.infer<typeof readWarningSchema>;

/** A file that a user attaches to a message. */
export const attachmentSchema = storedFileSchema.extend({
  kind: z.enum(['picture', 'text']),
  /** Estimated tokens of its text, or of the picture. */
  tokens: z.number().int(),
  /** Characters of its text; 0 for a picture. */
  length: z.number().int(),
  parts: z.object({ kind: z.enum(partKinds), count: z.number().int() }).optional(),
  /** Whether its text was truncated. */
  isCut: z.boolean().optional(),
  /** Content that was skipped or may be wrong. */
  warnings: z.array(readWarningSchema).optional(),
  /** For a resource of a server: the server's name and the URI there. */
  origin: z.object({ server: z.string(), uri: z.string() }).optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** An attachment of a sent message. */
export const sentAttachmentSchema = attachmentSchema.extend({
  /** Characters of its text that were sent with the message; the rest is read on demand. */
  shown: z.number().int(),
});
export type SentAttachment = z.infer<typeof sentAttachmentSchema>;

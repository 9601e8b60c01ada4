import { z } from 'zod';
import { storedFileSchema } from '../config/tools.ts';

/** The largest file that can be attached, in bytes. */
export const maxFileBytes = 32 * 1024 * 1024;

/** As many files can be sent with one message. */
export const maxFilesAttached = 20;

/** The parts that the text of a file names, so that they can be asked for. */
export const partKinds = ['page', 'sheet', 'slide'] as const;

/** Kinds of content that a reader left out of a file, or read with a doubt. */
export const readWarningKinds = [
  /** Pages without text, perhaps scans: their numbers are the names. */
  'empty-pages',
  'pictures',
  'charts',
  'diagrams',
  'formulas',
  /** Formulas of a sheet of which the file holds no result. */
  'uncalculated',
  'deletions',
  /** Files in an e-mail. */
  'attachments',
  'embedded',
  /** Sheets, rows or columns that their program hides: they are read, and marked. */
  'hidden',
  /** The text names no encoding, and was read in the one that the names give. */
  'encoding',
  /** The name has the ending of another format: the content is text. */
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
  /** Of all its text, or of the picture: an estimate. */
  tokens: z.number().int(),
  /** Characters of its text; of a picture none. */
  length: z.number().int(),
  parts: z.object({ kind: z.enum(partKinds), count: z.number().int() }).optional(),
  /** Whether it has more text than was read of it. */
  isCut: z.boolean().optional(),
  /** Content that was not read, or is doubtful. */
  warnings: z.array(readWarningSchema).optional(),
  /** Where it is from, of a resource of a server: what the server is called, and the address there. */
  origin: z.object({ server: z.string(), uri: z.string() }).optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** One that was sent. */
export const sentAttachmentSchema = attachmentSchema.extend({
  /** So many characters of its text went with the message; the rest is read when it is wanted. */
  shown: z.number().int(),
});
export type SentAttachment = z.infer<typeof sentAttachmentSchema>;

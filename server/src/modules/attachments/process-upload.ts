import type { Attachment, ReadWarning } from '@knowhow/shared/chat/attachments';
import type { ConversationFiles, NewUpload } from '../conversations/index.ts';
import type { DocumentFormat } from './document.ts';
import { fileName } from './file-name.ts';
import { toFileProblem } from './file-problem.ts';
import { pictureUpload } from './pictures/picture-upload.ts';
import type { DocumentReader } from './read-document.ts';
import { type SniffedFile, sniffFile } from './sniff-file.ts';

export interface UploadServices {
  files: ConversationFiles;
  read: DocumentReader;
}

interface Uploading {
  owner: string;
  /** The original file name. */
  name: string | undefined;
  bytes: Buffer;
  /** Whether it is for a temporary conversation, kept only in memory. */
  isTemporary: boolean;
  /** For resources of an MCP server. */
  origin?: Attachment['origin'];
}

/**
 * Detects an uploaded file's type, extracts its text, and stores it until it is sent. Throws
 * `unsupported-type`, `too-large`, or `bad-request` for broken files.
 */
export async function processUpload(
  { owner, name: written, bytes, isTemporary, origin }: Uploading,
  { files, read }: UploadServices,
): Promise<Attachment> {
  if (bytes.length === 0) {
    throw toFileProblem('nothing');
  }
  const name = fileName(written);
  const keep = ({ details, ...file }: NewUpload) =>
    files.upload(owner, {
      ...file,
      details: { ...details, ...(origin ? { origin } : {}) },
      isTemporary,
    });
  const found = sniffFile(name, bytes);
  switch (found.kind) {
    case 'picture':
      return keep(pictureUpload(name, found.type, bytes));
    case 'text':
      return keep(await textUpload({ name, bytes }, found, read));
    case 'locked':
      throw toFileProblem('locked');
    case 'unknown':
      throw toFileProblem('unknown-kind');
  }
}

async function textUpload(
  { name, bytes }: { name: string; bytes: Buffer },
  { type, format }: Extract<SniffedFile, { kind: 'text' }>,
  read: DocumentReader,
): Promise<NewUpload> {
  const document = await read({ format, bytes: bytes as Buffer<ArrayBuffer> });
  if ('fault' in document) {
    throw toFileProblem(document.fault);
  }
  const { text, tokens, marks, parts, isCut } = document;
  const warnings = [...(document.warnings ?? []), ...endingWarnings(name, format)];
  const textDetails = {
    ...(parts ? { parts } : {}),
    ...(isCut ? { isCut } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return {
    name,
    type,
    bytes,
    text,
    marks,
    details: { kind: 'text', tokens, length: text.length, ...textDetails },
  };
}

const otherFormats =
  /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif|ico|mp[34]|wav|zip|gz|7z|exe|dll|pdf|docx?|xlsx?|pptx?|od[tsp])$/i;

/** Warns if the extension suggests an image, document or program but the content is text. */
function endingWarnings(name: string, format: DocumentFormat): ReadWarning[] {
  const [ending] = (format === 'plain' && otherFormats.exec(name)) || [];
  return ending === undefined
    ? []
    : [{ kind: 'ending', count: 1, names: [ending.slice(1).toUpperCase()] }];
}

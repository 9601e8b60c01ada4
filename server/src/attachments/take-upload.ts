import type { Attachment, ReadWarning } from '@knowhow/shared/chat/attachments';
import type { ConversationFiles, NewUpload } from '../conversations/files.ts';
import type { DocumentFormat } from './document.ts';
import { fileName } from './file-name.ts';
import { pictureUpload } from './pictures/picture-upload.ts';
import type { DocumentReader } from './read-document.ts';
import { refusedFile } from './refused-file.ts';
import { type SniffedFile, sniffFile } from './sniff-file.ts';

export interface UploadServices {
  files: ConversationFiles;
  read: DocumentReader;
}

interface Uploading {
  owner: string;
  /** As the sender calls it. */
  name: string | undefined;
  bytes: Buffer;
  /** Whether it is for a conversation that is kept in memory alone. */
  isTemporary: boolean;
  /** Of a resource of a server. */
  origin?: Attachment['origin'];
}

/**
 * Finds out what an uploaded file is, reads its text, and keeps it until it is sent. Throws `unsupported-type` for what
 * is neither a picture nor has a text, `too-large`, and `bad-request` for what is broken.
 */
export async function takeUpload(
  { owner, name: written, bytes, isTemporary, origin }: Uploading,
  { files, read }: UploadServices,
): Promise<Attachment> {
  if (bytes.length === 0) {
    throw refusedFile('nothing');
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
      throw refusedFile('locked');
    case 'unknown':
      throw refusedFile('unknown-kind');
  }
}

async function textUpload(
  { name, bytes }: { name: string; bytes: Buffer },
  { type, format }: Extract<SniffedFile, { kind: 'text' }>,
  read: DocumentReader,
): Promise<NewUpload> {
  const document = await read({ format, bytes: bytes as Buffer<ArrayBuffer> });
  if ('fault' in document) {
    throw refusedFile(document.fault);
  }
  const { text, tokens, marks, parts, isCut } = document;
  const warnings = [...(document.warnings ?? []), ...endingWarnings(name, format)];
  const facts = {
    ...(parts ? { parts } : {}),
    ...(isCut ? { isCut } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return {
    ...{ name, type, bytes, text, marks },
    details: { kind: 'text', tokens, length: text.length, ...facts },
  };
}

const otherFormats =
  /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif|ico|mp[34]|wav|zip|gz|7z|exe|dll|pdf|docx?|xlsx?|pptx?|od[tsp])$/i;

/** Warns if the name promises a picture, a document or a program, and the content is text. */
function endingWarnings(name: string, format: DocumentFormat): ReadWarning[] {
  const [ending] = (format === 'plain' && otherFormats.exec(name)) || [];
  return ending === undefined
    ? []
    : [{ kind: 'ending', count: 1, names: [ending.slice(1).toUpperCase()] }];
}

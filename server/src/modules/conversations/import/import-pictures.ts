import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import type { Message } from '@knowhow/shared/chat/conversations';
import type { Transaction } from 'kysely';
import { sha256 } from '../../../platform/lib/sha256.ts';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { storeContent } from '../file-contents.ts';
import type { NewUpload } from '../files.ts';
import type { ImportedHead, PackedMessage, PackedPicture, ReadImport } from './read-import.ts';

/** Validates a picture as an upload would be; undefined if it is not an accepted picture. */
export type ToUpload = (file: { name: string; bytes: Buffer }) => NewUpload | undefined;

/** A picture to store with its message. */
export interface NewFile {
  id: string;
  messageId: string;
  upload: NewUpload;
}

/** Drops pictures that fail validation and counts them among the losses. */
export async function withGoodPictures(read: ReadImport, asUpload: ToUpload): Promise<ReadImport> {
  let refused = 0;
  const conversations: ImportedHead[] = [];
  for (const head of read.conversations) {
    const pictures: PackedPicture[] = [];
    for (const picture of head.pictures) {
      const isValid =
        asUpload({ name: picture.name, bytes: getBytes(read, picture) }) !== undefined;
      refused += isValid ? 0 : 1;
      // Keeps a placeholder, so that the other pictures' indexes stay valid.
      pictures.push(isValid ? picture : { ...picture, end: picture.start });
      await yieldToEventLoop();
    }
    conversations.push({ ...head, pictures });
  }
  const others = read.losses.filter(({ what }) => what !== 'pictures');
  const lost = read.losses.find(({ what }) => what === 'pictures')?.count ?? 0;
  return refused === 0
    ? read
    : {
        ...read,
        conversations,
        losses: [...others, { what: 'pictures', count: lost + refused, isKept: false }],
      };
}

/** The valid pictures of a message. */
export function pictureFiles(
  read: ReadImport,
  head: ImportedHead,
  { pictures }: PackedMessage,
  asUpload: ToUpload,
): NewUpload[] {
  return pictures.flatMap((number) => {
    const picture = head.pictures[number];
    const isValid = picture !== undefined && picture.end > picture.start;
    return isValid ? (asUpload({ name: picture.name, bytes: getBytes(read, picture) }) ?? []) : [];
  });
}

/** Attaches pictures to a message and adds them to the conversation's files under unique names. */
export function withPictures(
  message: Message,
  uploads: readonly NewUpload[],
  files: NewFile[],
): Message {
  if (message.role !== 'user' || uploads.length === 0) {
    return message;
  }
  const attachments = uploads.map((upload): SentAttachment => {
    const isTaken = files.some((file) => file.upload.name === upload.name);
    const name = isTaken ? `${files.length + 1}-${upload.name}`.slice(-maxName) : upload.name;
    const id = uuidv7();
    files.push({ id, messageId: message.id, upload: { ...upload, name } });
    const { type, bytes, details } = upload;
    return { ...details, id, name, type, size: bytes.length, shown: 0 };
  });
  return { ...message, attachments };
}

/** Maximum length; a name is truncated at its start, so that the extension survives. */
const maxName = 120;

export async function storePictures(
  write: Transaction<Schema>,
  files: readonly NewFile[],
  { owner, conversationId }: { owner: string; conversationId: string },
): Promise<void> {
  for (const { id, messageId, upload } of files) {
    const { name, type, bytes, details } = upload;
    const checksum = sha256(bytes);
    await write
      .insertInto('files')
      .values({
        id,
        owner,
        conversation_id: conversationId,
        message_id: messageId,
        name,
        type,
        size: bytes.length,
        sha256: checksum,
        text: null,
        details: JSON.stringify(details),
        created_at: new Date().toISOString(),
      })
      .execute();
    await storeContent(write, checksum, bytes);
    await yieldToEventLoop();
  }
}

function getBytes({ pictures }: ReadImport, { start, end }: PackedPicture): Buffer {
  return Buffer.from(pictures.buffer, start, end - start);
}

import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { StoredFile } from '@knowhow/shared/config/tools';
import { uuidv7 } from '../lib/uuidv7.ts';
import type { Database } from '../storage/open-database.ts';
import { attachmentOf } from './attached-files.ts';
import { belongsTo } from './comparison/belongs-to.ts';
import { filesIn } from './comparison/files-in.ts';
import { readContent, sha256Of, storeContent } from './file-contents.ts';
import { type FileLimits, storedLimits } from './file-limits.ts';

/**
 * The files of conversations: what tools have made, and what users attach. They go with the message that they came
 * with.
 */
export interface ConversationFiles {
  /** Those of an answer that there is no more room for are not kept. */
  keep(files: readonly FileOfTool[], at: Answer): Promise<StoredFile[]>;
  /** Keeps a file until it is sent. Of what somebody has not sent, the oldest goes when it is too much. */
  upload(owner: string, file: NewUpload): Promise<Attachment>;
  /** Removes one that was not sent; false where there is none. */
  removeUpload(owner: string, id: string): Promise<boolean>;
  /** A file of somebody's own. */
  read(owner: string, id: string): Promise<WholeFile | undefined>;
  /** The newest of that name in a conversation. */
  find(conversationId: string, name: string): Promise<WholeFile | undefined>;
  /** The text of a file that is attached in a conversation. */
  readText(conversationId: string, name: string): Promise<AttachedText | undefined>;
  /** Names of the files with a text that are attached in a conversation, oldest first. */
  namesOfTexts(conversationId: string): Promise<string[]>;
}

interface FileOfTool {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** What was found out about an uploaded file. */
export interface NewUpload extends FileOfTool {
  details: Pick<
    Attachment,
    'kind' | 'tokens' | 'length' | 'parts' | 'isCut' | 'warnings' | 'origin'
  >;
  /** Of what is not a picture. */
  text?: string;
  /** Where the parts of its text begin. */
  marks?: readonly TextMark[];
  /** Whether it is for a conversation that is kept in memory alone. */
  isTemporary?: boolean;
}

/** Where a page, sheet or slide begins. */
export interface TextMark {
  name: string;
  /** In characters. */
  at: number;
}

export interface AttachedText {
  attachment: Attachment;
  text: string;
  marks: readonly TextMark[];
}

interface Answer {
  conversationId: string;
  messageId: string;
}

export interface WholeFile extends StoredFile {
  bytes: Buffer;
}

export function createFiles(database: Database, limits = storedLimits): ConversationFiles {
  const unsent = (owner: string) =>
    database.deleteFrom('files').where('owner', '=', owner).where('message_id', 'is', null);
  return {
    keep: (files, at) => keepMade(database, files, { ...at, most: limits.made }),
    upload: async (owner, file) => {
      const attachment = await storeUpload(database, owner, file);
      await removeOldest(database, owner, limits.unsent);
      return attachment;
    },
    removeUpload: async (owner, id) => {
      const { numDeletedRows } = await unsent(owner).where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    read: (owner, id) => readOwn(database, owner, id),
    find: async (conversationId, name) =>
      withBytes(
        database,
        await filesIn(database, conversationId)
          .selectAll()
          .where('name', '=', name)
          .orderBy('id', 'desc')
          .executeTakeFirst(),
      ),
    readText: (conversationId, name) => readText(database, conversationId, name),
    namesOfTexts: async (conversationId) => {
      const rows = await filesIn(database, conversationId)
        .select('name')
        .where('text', 'is not', null)
        .orderBy('id')
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}

async function withBytes(
  database: Database,
  row: (StoredFile & { sha256: string }) | undefined,
): Promise<WholeFile | undefined> {
  if (!row) {
    return undefined;
  }
  const { id, name, type, size, sha256 } = row;
  return { id, name, type, size, bytes: await readContent(database, sha256) };
}

async function readOwn(
  database: Database,
  owner: string,
  id: string,
): Promise<WholeFile | undefined> {
  const row = await database
    .selectFrom('files')
    .leftJoin('conversations', 'conversations.id', 'files.conversation_id')
    .selectAll('files')
    .where('files.id', '=', id)
    .where((eb) =>
      eb.or([
        belongsTo(owner)(eb),
        eb.and([eb('files.owner', '=', owner), eb('files.conversation_id', 'is', null)]),
      ]),
    )
    .executeTakeFirst();
  return withBytes(database, row);
}

async function keepMade(
  database: Database,
  files: readonly FileOfTool[],
  { conversationId, messageId, most }: Answer & { most: number },
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  let room = most - (await sizeOf(database, conversationId));
  for (const { name, type, bytes } of files) {
    const size = bytes.length;
    room -= size;
    if (room < 0) {
      continue;
    }
    const at = { conversation_id: conversationId, message_id: messageId };
    const row = { id: uuidv7(), name, type, size, sha256: sha256Of(bytes) };
    const created_at = new Date().toISOString();
    await database
      .insertInto('files')
      .values({ ...row, ...at, owner: null, text: null, details: null, created_at })
      .execute();
    await storeContent(database, row.sha256, bytes);
    stored.push({ id: row.id, name, type, size });
  }
  return stored;
}

async function sizeOf(database: Database, conversationId: string): Promise<number> {
  const { size } = await database
    .selectFrom('files')
    .select(({ fn }) => fn.sum<number | string | bigint | null>('size').as('size'))
    .where('conversation_id', '=', conversationId)
    .where('owner', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
}

async function storeUpload(
  database: Database,
  owner: string,
  { name, type, bytes, details, text, marks = [] }: NewUpload,
): Promise<Attachment> {
  const textBytes = text === undefined ? undefined : Buffer.from(text);
  const row = {
    ...{ id: uuidv7(), owner, conversation_id: null, message_id: null },
    ...{ name, type, size: bytes.length, sha256: sha256Of(bytes) },
    text: textBytes ? sha256Of(textBytes) : null,
    details: JSON.stringify({ ...details, ...(marks.length > 0 ? { marks } : {}) }),
    created_at: new Date().toISOString(),
  };
  await database.insertInto('files').values(row).execute();
  await storeContent(database, row.sha256, bytes);
  if (row.text !== null && textBytes) {
    await storeContent(database, row.text, textBytes);
  }
  return attachmentOf(row);
}

async function removeOldest(
  database: Database,
  owner: string,
  most: FileLimits['unsent'],
): Promise<void> {
  const rows = await database
    .selectFrom('files')
    .select(['id', 'size'])
    .where('owner', '=', owner)
    .where('message_id', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  let bytes = 0;
  for (const [index, { id, size }] of rows.entries()) {
    bytes += size;
    if (index >= most.files || bytes > most.bytes) {
      await database
        .deleteFrom('files')
        .where('id', '=', id)
        .where('message_id', 'is', null)
        .execute();
    }
  }
}

async function readText(
  database: Database,
  conversationId: string,
  name: string,
): Promise<AttachedText | undefined> {
  const row = await filesIn(database, conversationId)
    .selectAll()
    .where('name', '=', name)
    .where('text', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row?.text) {
    return undefined;
  }
  const bytes = await readContent(database, row.text);
  const { marks = [] }: { marks?: TextMark[] } = JSON.parse(row.details ?? '{}');
  return { attachment: attachmentOf(row), text: bytes.toString('utf8'), marks };
}

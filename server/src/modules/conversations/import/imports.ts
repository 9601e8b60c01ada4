import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ImportFormat, ImportReport } from '@knowhow/shared/chat/conversation-import';
import type { Message } from '@knowhow/shared/chat/conversations';
import { isFull } from '@knowhow/shared/chat/is-full';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import { indexSoon } from '../../../platform/storage/index-pending.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { messageRow } from '../conversation-rows.ts';
import { disown, removeDisowned } from '../remove-conversation.ts';
import {
  type NewFile,
  pictureFiles,
  storePictures,
  type ToUpload,
  withGoodPictures,
  withPictures,
} from './import-pictures.ts';
import {
  type ImportedHead,
  messagesOf,
  type PackedMessage,
  type ReadImport,
} from './read-import.ts';

/** Imports of conversations from other products. Conversations that the owner has imported already are skipped. */
export interface Imports {
  plan(owner: string, read: ReadImport): Promise<ImportReport>;
  /**
   * Imports new conversations one by one. Throws `conflict` if the import ID is taken, or if the import is undone
   * while it runs.
   *
   * @param signal stops the import after the current batch
   */
  run(into: ImportInto, read: ReadImport, signal: AbortSignal): Promise<ImportReport>;
  progress(owner: string, id: string): Promise<{ done: number; total: number } | undefined>;
  /** Imports with remaining conversations, newest first. */
  list(owner: string): Promise<ListedImport[]>;
  /**
   * Deletes the conversations of an import, which are hidden immediately. Returns how many; undefined if the owner
   * has no such import.
   */
  undo(owner: string, id: string): Promise<number | undefined>;
}

interface ImportInto {
  owner: string;
  id: string;
  appId: string;
  /** ID of the model with which the conversations continue. */
  model: string;
}

const maxConversationsPerBatch = 20;
const maxMessagesPerBatch = 200;
/** Weight of a picture in messages. */
const pictureWeight = 20;

export function createImports(database: Database, asUpload: ToUpload): Imports {
  const planIndexing = indexSoon(database);
  return {
    plan: async (owner, file) => {
      const read = await withGoodPictures(file, asUpload);
      return createImportReport(read, await knownSources(database, owner));
    },
    run: async (into, file, signal) => {
      const read = await withGoodPictures(file, asUpload);
      const known = await knownSources(database, into.owner);
      const wanted = read.conversations.filter((each) => !known.has(importKey(each)));
      await begin(database, into, wanted.length);
      for (let at = 0; at < wanted.length && !signal.aborted; ) {
        const batch = nextBatch(wanted, at);
        await database.transaction().execute(async (write) => {
          await assertNotUndone(write, into);
          for (const head of batch) {
            await store(write, into, { head, read, asUpload });
          }
        });
        at += batch.length;
        await yieldToEventLoop();
      }
      planIndexing();
      return createImportReport(read, known);
    },
    progress: async (owner, id) => {
      const row = await findOwnImport(database, owner, id);
      return row && { done: (await findConversations(database, id)).length, total: row.total };
    },
    list: (owner) => listImports(database, owner),
    undo: async (owner, id) => {
      const ids = await database.transaction().execute((write) => cancelImport(write, owner, id));
      await removeDisowned(database, ids ?? []);
      return ids?.length;
    },
  };
}

/** Cancels an import, even while it runs, and detaches its conversations from their owner. */
async function cancelImport(write: Transaction<Schema>, owner: string, id: string) {
  await acquireTransactionLock(write, `import ${id}`);
  if (!(await findOwnImport(write, owner, id))) {
    return undefined;
  }
  const ids = await disown(write, owner, await findConversations(write, id));
  await write.deleteFrom('imports').where('id', '=', id).execute();
  return ids;
}

async function assertNotUndone(
  write: Transaction<Schema>,
  { owner, id }: ImportInto,
): Promise<void> {
  await acquireTransactionLock(write, `import ${id}`);
  if (!(await findOwnImport(write, owner, id))) {
    throw problem('conflict', 'This import was undone while it ran. Nothing was imported.');
  }
}

async function knownSources(database: Database, owner: string): Promise<Set<string>> {
  const rows = await database
    .selectFrom('imported')
    .innerJoin('imports', 'imports.id', 'imported.import_id')
    .innerJoin('conversations', 'conversations.id', 'imported.conversation_id')
    .select('source')
    .where('imports.owner', '=', owner)
    .where('conversations.owner', '=', owner)
    .execute();
  return new Set(rows.map(({ source }) => source));
}

async function begin(database: Database, { id, owner }: ImportInto, total: number): Promise<void> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('imports')
    .values({ id, owner, total, created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) {
    throw problem('conflict', 'An import with this id already exists. Choose another id.');
  }
}

/** Next batch of conversations for one transaction; a transaction each would wait for the disk every time. */
function nextBatch(wanted: readonly ImportedHead[], from: number): ImportedHead[] {
  const batch: ImportedHead[] = [];
  let messages = 0;
  for (const head of wanted.slice(from, from + maxConversationsPerBatch)) {
    messages += head.messages + pictureWeight * head.pictures.length;
    if (batch.length > 0 && messages > maxMessagesPerBatch) {
      break;
    }
    batch.push(head);
  }
  return batch;
}

interface StoreContext {
  head: ImportedHead;
  read: ReadImport;
  asUpload: ToUpload;
}

async function store(
  write: Transaction<Schema>,
  { owner, id: importId, appId, model }: ImportInto,
  { head, read, asUpload }: StoreContext,
): Promise<void> {
  const id = randomUUID();
  const pictures: NewFile[] = [];
  const messages = messagesOf(read, head).map((message) => {
    const stored = messageOf(message, head.format);
    return withPictures(stored, pictureFiles(read, head, message, asUpload), pictures);
  });
  await write
    .insertInto('conversations')
    .values({
      id,
      owner,
      app_id: appId,
      model,
      title: head.title,
      created_at: head.createdAt,
      updated_at: head.updatedAt,
      skills_off: null,
      ranked: null,
      tools: null,
      pinned: 0,
      archived: 0,
    })
    .execute();
  for (let at = 0; at < messages.length; at += maxMessagesPerBatch) {
    const rows = messages
      .slice(at, at + maxMessagesPerBatch)
      .map((message, index) => messageRow(message, { conversationId: id, position: at + index }));
    await write.insertInto('messages').values(rows).execute();
    await yieldToEventLoop();
  }
  await storePictures(write, pictures, { owner, conversationId: id });
  await write
    .insertInto('imported')
    .values({ conversation_id: id, import_id: importId, source: importKey(head) })
    .execute();
}

const products = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  knowhow: 'Knowhow',
} satisfies Record<ImportFormat, string>;

function messageOf(
  { role, content, thinking, model, createdAt }: PackedMessage,
  format: ImportFormat,
): Message {
  const common = { id: randomUUID(), content, createdAt };
  return role === 'user'
    ? { role, ...common, skills: [] }
    : {
        role,
        ...common,
        thinking,
        model: model || products[format],
        status: 'complete',
        finishReason: 'stop',
        activations: [],
        ended: [],
        toolCalls: [],
      };
}

function findOwnImport(database: Database, owner: string, id: string) {
  return database
    .selectFrom('imports')
    .select('total')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
}

async function findConversations(database: Database, importId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('imported')
    .select('conversation_id')
    .where('import_id', '=', importId)
    .execute();
  return rows.map(({ conversation_id }) => conversation_id);
}

interface ListedImport {
  id: string;
  createdAt: string;
  /** Number of its conversations that still exist. */
  conversations: number;
}

const maxListed = 20;

/** The owner's imports with remaining conversations, newest first. */
function listImports(database: Database, owner: string): Promise<ListedImport[]> {
  return database
    .selectFrom('imports')
    .innerJoin('imported', 'imported.import_id', 'imports.id')
    .innerJoin('conversations', 'conversations.id', 'imported.conversation_id')
    .select(({ fn }) => [
      'imports.id',
      'imports.created_at as createdAt',
      fn.countAll<number>().as('conversations'),
    ])
    .where('imports.owner', '=', owner)
    .where('conversations.owner', '=', owner)
    .groupBy(['imports.id', 'imports.created_at'])
    .orderBy('imports.created_at', 'desc')
    .limit(maxListed)
    .execute();
}

const maxReportedItems = 200;

/**
 * Summarises an import.
 *
 * @param known sources, as by `sourceOf`, that have been imported already
 */
function createImportReport(
  { conversations, losses }: ReadImport,
  known: ReadonlySet<string>,
): ImportReport {
  const items = conversations.map((each) => ({
    title: each.title,
    messages: each.messages,
    updatedAt: each.updatedAt,
    isKnown: known.has(importKey(each)),
    isFull: isFull(each),
  }));
  return {
    formats: [...new Set(conversations.map(({ format }) => format))],
    conversations: items.length,
    messages: items.reduce((sum, { messages }) => sum + messages, 0),
    known: items.filter(({ isKnown }) => isKnown).length,
    full: items.filter((each) => each.isFull).length,
    items: items.slice(0, maxReportedItems),
    losses,
  };
}

/** Key for recognising a conversation on a repeated import; without an ID, its creation time and title. */
function importKey({ format, sourceId, title, createdAt }: ImportedHead): string {
  return `${format} ${sourceId || `${createdAt} ${title}`}`;
}

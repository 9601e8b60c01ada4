import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ImportFormat, ImportReport } from '@knowhow/shared/chat/conversation-import';
import type { Message } from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { acquireTransactionLock } from '../../storage/acquire-transaction-lock.ts';
import { indexSoon } from '../../storage/index-pending.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { messageRow } from '../conversation-rows.ts';
import { disown, removeDisowned } from '../remove-conversation.ts';
import {
  type AsUpload,
  type NewFile,
  pictureFiles,
  storePictures,
  withGoodPictures,
  withPictures,
} from './import-pictures.ts';
import { report, sourceOf } from './import-report.ts';
import { type ListedImport, listImports } from './list-imports.ts';
import {
  type ImportedHead,
  messagesOf,
  type PackedMessage,
  type ReadImport,
} from './read-import.ts';

/** Conversations of other products, taken in. What is here already, of the same owner, is not taken again. */
export interface Imports {
  plan(owner: string, read: ReadImport): Promise<ImportReport>;
  /**
   * Takes in what is not here yet, one conversation after the other. Throws `conflict` for an id that is taken, and
   * when it is undone meanwhile.
   *
   * @param signal ends it after the conversation that is being stored
   */
  run(into: ImportInto, read: ReadImport, signal: AbortSignal): Promise<ImportReport>;
  progress(owner: string, id: string): Promise<{ done: number; total: number } | undefined>;
  /** Those of which something is here, the newest first. */
  list(owner: string): Promise<ListedImport[]>;
  /**
   * Deletes what an import has brought: its owner sees none of it from the first moment on. Answers how many;
   * undefined when the owner has no such import.
   */
  undo(owner: string, id: string): Promise<number | undefined>;
}

interface ImportInto {
  owner: string;
  id: string;
  appId: string;
  /** Id of the model that conversations go on with. */
  model: string;
}

const conversationsAtOnce = 20;
const messagesAtOnce = 200;
/** As many messages as a picture counts for. */
const messagesOfAPicture = 20;

export function createImports(database: Database, asUpload: AsUpload): Imports {
  const planIndexing = indexSoon(database);
  return {
    plan: async (owner, file) => {
      const read = await withGoodPictures(file, asUpload);
      return report(read, await knownSources(database, owner));
    },
    run: async (into, file, signal) => {
      const read = await withGoodPictures(file, asUpload);
      const known = await knownSources(database, into.owner);
      const wanted = read.conversations.filter((each) => !known.has(sourceOf(each)));
      await begin(database, into, wanted.length);
      for (let at = 0; at < wanted.length && !signal.aborted; ) {
        const some = fitting(wanted, at);
        await database.transaction().execute(async (write) => {
          await refuseUndone(write, into);
          for (const head of some) {
            await store(write, into, { head, read, asUpload });
          }
        });
        at += some.length;
        await yieldToEventLoop();
      }
      planIndexing();
      return report(read, known);
    },
    progress: async (owner, id) => {
      const row = await ownImport(database, owner, id);
      return row && { done: (await conversationsOf(database, id)).length, total: row.total };
    },
    list: (owner) => listImports(database, owner),
    undo: async (owner, id) => {
      const ids = await database.transaction().execute((write) => giveUp(write, owner, id));
      await removeDisowned(database, ids ?? []);
      return ids?.length;
    },
  };
}

/** Ends an import, also one that runs, and takes what it has brought from its owner. */
async function giveUp(write: Transaction<Schema>, owner: string, id: string) {
  await acquireTransactionLock(write, `import ${id}`);
  if (!(await ownImport(write, owner, id))) {
    return undefined;
  }
  const ids = await disown(write, owner, await conversationsOf(write, id));
  await write.deleteFrom('imports').where('id', '=', id).execute();
  return ids;
}

async function refuseUndone(write: Transaction<Schema>, { owner, id }: ImportInto): Promise<void> {
  await acquireTransactionLock(write, `import ${id}`);
  if (!(await ownImport(write, owner, id))) {
    throw problem('conflict', 'This import was undone while it ran: nothing of it is left.');
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
    throw problem('conflict', 'There is an import of this id already. Take another id.');
  }
}

/** As many conversations as go into one transaction: one by one each would wait for the disk. */
function fitting(wanted: readonly ImportedHead[], from: number): ImportedHead[] {
  const some: ImportedHead[] = [];
  let messages = 0;
  for (const head of wanted.slice(from, from + conversationsAtOnce)) {
    messages += head.messages + messagesOfAPicture * head.pictures.length;
    if (some.length > 0 && messages > messagesAtOnce) {
      break;
    }
    some.push(head);
  }
  return some;
}

interface Storing {
  head: ImportedHead;
  read: ReadImport;
  asUpload: AsUpload;
}

async function store(
  write: Transaction<Schema>,
  { owner, id: importId, appId, model }: ImportInto,
  { head, read, asUpload }: Storing,
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
      ...{ id, owner, app_id: appId, model, title: head.title },
      ...{ created_at: head.createdAt, updated_at: head.updatedAt },
      ...{ skills_off: null, ranked: null, tools: null, pinned: 0, archived: 0 },
    })
    .execute();
  for (let at = 0; at < messages.length; at += messagesAtOnce) {
    const rows = messages
      .slice(at, at + messagesAtOnce)
      .map((message, index) => messageRow(message, { conversationId: id, position: at + index }));
    await write.insertInto('messages').values(rows).execute();
    await yieldToEventLoop();
  }
  await storePictures(write, pictures, { owner, conversationId: id });
  await write
    .insertInto('imported')
    .values({ conversation_id: id, import_id: importId, source: sourceOf(head) })
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
        ...{ role, ...common, thinking, model: model || products[format] },
        ...{ status: 'complete', finishReason: 'stop', activations: [], ended: [], toolCalls: [] },
      };
}

function ownImport(database: Database, owner: string, id: string) {
  return database
    .selectFrom('imports')
    .select('total')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
}

async function conversationsOf(database: Database, importId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('imported')
    .select('conversation_id')
    .where('import_id', '=', importId)
    .execute();
  return rows.map(({ conversation_id }) => conversation_id);
}

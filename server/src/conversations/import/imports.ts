import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ImportFormat, ImportReport } from '@knowhow/shared/conversation-import';
import type { Message } from '@knowhow/shared/conversations';
import { isFull } from '@knowhow/shared/is-full';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { indexSoon } from '../../storage/index-pending.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { messageRow } from '../conversation-rows.ts';
import { disown, removeDisowned } from '../remove-conversation.ts';
import type { ImportedMessage } from './imported.ts';
import { type ListedImport, listImports } from './list-imports.ts';
import { type ImportedHead, messagesOf, type ReadImport } from './read-import.ts';

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

const mostListed = 200;
const conversationsAtOnce = 20;
const messagesAtOnce = 200;

export function createImports(database: Database): Imports {
  const planIndexing = indexSoon(database);
  return {
    plan: async (owner, read) => report(read, await knownSources(database, owner)),
    run: async (into, read, signal) => {
      const known = await knownSources(database, into.owner);
      const wanted = read.conversations.filter((each) => !known.has(sourceOf(each)));
      await begin(database, into, wanted.length);
      for (let at = 0; at < wanted.length && !signal.aborted; ) {
        const some = fitting(wanted, at);
        await database.transaction().execute(async (write) => {
          await refuseUndone(write, into);
          for (const head of some) {
            await store(write, into, head, messagesOf(read, head));
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
  if (!(await ownImport(write, owner, id))) {
    return undefined;
  }
  const ids = await disown(write, owner, await conversationsOf(write, id));
  await write.deleteFrom('imports').where('id', '=', id).execute();
  return ids;
}

async function refuseUndone(write: Transaction<Schema>, { owner, id }: ImportInto): Promise<void> {
  if (!(await ownImport(write, owner, id))) {
    throw problem('conflict', 'This import was undone while it ran: nothing of it is left.');
  }
}

/** By what a conversation is known again; without a name of its own by what it is. */
function sourceOf({ format, sourceId, title, createdAt }: ImportedHead): string {
  return `${format} ${sourceId || `${createdAt} ${title}`}`;
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

function report({ conversations, losses }: ReadImport, known: ReadonlySet<string>): ImportReport {
  const items = conversations.map((each) => ({
    title: each.title,
    messages: each.messages,
    updatedAt: each.updatedAt,
    isKnown: known.has(sourceOf(each)),
    isFull: isFull(each),
  }));
  return {
    formats: [...new Set(conversations.map(({ format }) => format))],
    conversations: items.length,
    messages: items.reduce((sum, { messages }) => sum + messages, 0),
    known: items.filter(({ isKnown }) => isKnown).length,
    full: items.filter((each) => each.isFull).length,
    items: items.slice(0, mostListed),
    losses,
  };
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
    messages += head.messages;
    if (some.length > 0 && messages > messagesAtOnce) {
      break;
    }
    some.push(head);
  }
  return some;
}

async function store(
  write: Transaction<Schema>,
  { owner, id: importId, appId, model }: ImportInto,
  head: ImportedHead,
  messages: readonly ImportedMessage[],
): Promise<void> {
  const id = randomUUID();
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
      .map((message, index) =>
        messageRow(messageOf(message, head.format), { conversationId: id, position: at + index }),
      );
    await write.insertInto('messages').values(rows).execute();
  }
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
  { role, content, thinking, model, createdAt }: ImportedMessage,
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

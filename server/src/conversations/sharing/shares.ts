import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type Share, type SharedExtra, sharedExtras } from '@knowhow/shared/chat/sharing';
import type { Selectable } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { readContent } from '../file-contents.ts';
import type { WholeFile } from '../files.ts';
import { freezeConversation } from './freeze-conversation.ts';
import type { Freezing } from './freeze-message.ts';
import { storeShare } from './store-share.ts';

/**
 * Links to conversations: of each its hash, and a copy of what the conversation was when it was shared. A link ends
 * with its conversation, and with its owner's account.
 */
export interface Shares {
  /** What can be shared of a conversation, and how it is. Undefined when the owner has no such conversation. */
  find(owner: string, conversationId: string): Promise<Shareable | undefined>;
  /** Makes a link, or lets the one that there is show the conversation as it is now. Undefined as with `find`. */
  share(
    owner: string,
    conversationId: string,
    sharing: Freezing & { isPublic: boolean },
  ): Promise<Share | undefined>;
  /** Those of somebody, the newest first. */
  list(owner: string): Promise<Share[]>;
  /** Answers what has ended; undefined when the owner has no such link. */
  revoke(owner: string, id: string): Promise<Share | undefined>;
  /** By what a link ends with. */
  open(token: string): Promise<OpenShare | undefined>;
  /** The messages of one that is open, each as JSON. */
  messages(id: string): AsyncGenerator<string>;
  readFile(id: string, fileId: string): Promise<WholeFile | undefined>;
}

interface Shareable {
  appId: string;
  share: Share | undefined;
  messages: number;
  extras: SharedExtra[];
  isOutdated: boolean;
}

interface OpenShare extends Pick<Share, 'id' | 'title' | 'sharedAt' | 'isPublic'> {
  /** Whose it is. */
  by: string;
  without: SharedExtra[];
}

type Row = Selectable<Schema['shares']>;

const messagesAtOnce = 50;

/** @param secret of this installation: the links follow from it, so that their owners can see them again */
export function createShares(database: Database, secret: Buffer): Shares {
  const tokenOf = (id: string) =>
    createHmac('sha256', secret).update(`share ${id}`).digest('base64url');
  const shareOf = (row: Row) => describe(row, tokenOf(row.id));
  return {
    find: async (owner, conversationId) => {
      const found = await findShareable(database, owner, conversationId);
      return found && { ...found, share: found.share && shareOf(found.share) };
    },
    share: async (owner, conversationId, { isPublic, ...freezing }) => {
      const found = await findShareable(database, owner, conversationId);
      if (!found) {
        return undefined;
      }
      const frozen = await freezeConversation(database, conversationId, freezing);
      const id = found.share?.id ?? randomUUID();
      const now = new Date().toISOString();
      const { files, details } = freezing;
      const isIn = { files, details };
      const row: Row = {
        ...{ id, hash: hashOf(tokenOf(id)), conversation_id: conversationId, title: found.title },
        ...{ files: Number(files), details: Number(details), public: Number(isPublic) },
        without: JSON.stringify(found.extras.filter((extra) => !isIn[extra])),
        messages: frozen.length,
        created_at: found.share?.created_at ?? now,
        shared_at: now,
      };
      return (await storeShare(database, owner, { row, frozen })) ? shareOf(row) : undefined;
    },
    list: async (owner) => (await sharesOf(database, owner).execute()).map(shareOf),
    revoke: async (owner, id) => {
      const row = await sharesOf(database, owner).where('shares.id', '=', id).executeTakeFirst();
      await database
        .deleteFrom('shares')
        .where('id', '=', row?.id ?? '')
        .execute();
      return row && shareOf(row);
    },
    open: (token) => openShare(database, token),
    messages: (id) => readMessages(database, id),
    readFile: (id, fileId) => readFile(database, id, fileId),
  };
}

/** What opens nothing to whoever reads the database, or a copy of it. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function describe(row: Row, token: string): Share {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    path: `/shared/${token}`,
    title: row.title,
    files: row.files === 1,
    details: row.details === 1,
    isPublic: row.public === 1,
    messages: row.messages,
    createdAt: row.created_at,
    sharedAt: row.shared_at,
  };
}

function sharesOf(database: Database, owner: string) {
  return database
    .selectFrom('shares')
    .innerJoin('conversations', 'conversations.id', 'shares.conversation_id')
    .selectAll('shares')
    .where('conversations.owner', '=', owner)
    .orderBy('shares.created_at', 'desc');
}

async function findShareable(database: Database, owner: string, id: string) {
  const row = await database
    .selectFrom('conversations')
    .select(['app_id', 'title', 'updated_at'])
    .select(({ selectFrom }) => [
      selectFrom('messages')
        .select(({ fn }) => fn.countAll<number | string | bigint>().as('count'))
        .where('conversation_id', '=', id)
        .as('messages'),
    ])
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (!row) {
    return undefined;
  }
  const share = await database
    .selectFrom('shares')
    .selectAll()
    .where('conversation_id', '=', id)
    .executeTakeFirst();
  const messages = Number(row.messages);
  const hasGoneOn =
    share !== undefined && (row.updated_at > share.shared_at || messages !== share.messages);
  const extras = await extrasOf(database, id);
  const { app_id: appId, title } = row;
  return { appId, title, share, messages, extras, isOutdated: hasGoneOn };
}

/** What a conversation has beside its words. */
async function extrasOf(database: Database, id: string): Promise<SharedExtra[]> {
  const isThere = async (table: 'files' | 'tool_results' | 'activations') =>
    (await database
      .selectFrom(table)
      .select('conversation_id')
      .where('conversation_id', '=', id)
      .limit(1)
      .executeTakeFirst()) !== undefined;
  const thought = database
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', id)
    .where('role', '=', 'assistant')
    .where('details', 'not like', '%"thinking":""%')
    .limit(1);
  const has = {
    files: await isThere('files'),
    details:
      (await isThere('tool_results')) ||
      (await isThere('activations')) ||
      (await thought.executeTakeFirst()) !== undefined,
  };
  return sharedExtras.filter((extra) => has[extra]);
}

async function openShare(database: Database, token: string): Promise<OpenShare | undefined> {
  const row = await database
    .selectFrom('shares')
    .innerJoin('conversations', 'conversations.id', 'shares.conversation_id')
    .innerJoin('users', 'users.id', 'conversations.owner')
    .select(['shares.id', 'shares.title', 'shared_at', 'public', 'without', 'users.name'])
    .where('hash', '=', hashOf(token))
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  return (
    row && {
      ...{ id: row.id, title: row.title, sharedAt: row.shared_at, isPublic: row.public === 1 },
      by: row.name,
      without: JSON.parse(row.without) as SharedExtra[],
    }
  );
}

async function* readMessages(database: Database, id: string): AsyncGenerator<string> {
  for (let position = 0; ; position += messagesAtOnce) {
    const rows = await database
      .selectFrom('share_messages')
      .select('content')
      .where('share_id', '=', id)
      .where('position', '>=', position)
      .where('position', '<', position + messagesAtOnce)
      .orderBy('position')
      .execute();
    yield* rows.map(({ content }) => content);
    if (rows.length < messagesAtOnce) {
      return;
    }
  }
}

async function readFile(
  database: Database,
  id: string,
  fileId: string,
): Promise<WholeFile | undefined> {
  const row = await database
    .selectFrom('share_files')
    .select(['id', 'name', 'type', 'size', 'sha256'])
    .where('share_id', '=', id)
    .where('id', '=', fileId)
    .executeTakeFirst();
  if (!row) {
    return undefined;
  }
  const { sha256, ...file } = row;
  return { ...file, bytes: await readContent(database, sha256) };
}

import { createHmac, randomUUID } from 'node:crypto';
import { type Share, type SharedExtra, sharedExtras } from '@knowhow/shared/chat/sharing';
import { problem } from '@knowhow/shared/problem';
import type { Selectable } from 'kysely';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readContent } from '../file-contents.ts';
import type { WholeFile } from '../files.ts';
import type { FreezeOptions } from './freeze-message.ts';
import { frozenMessages } from './frozen-messages.ts';
import { storeShare } from './store-share.ts';

/**
 * Links to conversations. Each stores its token's hash and a copy of the conversation when it was shared. A link is
 * deleted with its conversation and with its owner's account.
 */
export interface Shares {
  /**
   * Finds what can be shared of a conversation, and its present link. Undefined if the owner has no such
   * conversation.
   */
  find(owner: string, conversationId: string): Promise<Shareable | undefined>;
  /** Creates a link, or updates the copy behind the present one. Undefined as with `find`. */
  share(
    owner: string,
    conversationId: string,
    sharing: FreezeOptions & { isPublic: boolean },
  ): Promise<Share | undefined>;
  /** The owner's links, newest first. */
  list(owner: string): Promise<Share[]>;
  /** Revokes a link and returns it; undefined if the owner has no such link. */
  revoke(owner: string, id: string): Promise<Share | undefined>;
  /** Finds a shared conversation by the token at the end of its link. */
  open(token: string): Promise<OpenShare | undefined>;
  /** Messages of an opened share, each as JSON. */
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
  /** Name of the person who shared it. */
  by: string;
  without: SharedExtra[];
}

type Row = Selectable<Schema['shares']>;

const batchSize = 50;

/** @param secret of this installation; tokens are derived from it by HMAC, so that owners can see their links again */
export function createShares(database: Database, secret: Buffer): Shares {
  const createToken = (id: string) =>
    createHmac('sha256', secret).update(`share ${id}`).digest('base64url');
  const toShare = (row: Row) => describe(row, createToken(row.id));
  return {
    find: async (owner, conversationId) => {
      const found = await findShareable(database, owner, conversationId);
      return found && { ...found, share: found.share && toShare(found.share) };
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
      const included = { files, details };
      const row: Row = {
        id,
        hash: hashToken(createToken(id)),
        conversation_id: conversationId,
        title: found.title,
        files: Number(files),
        details: Number(details),
        public: Number(isPublic),
        without: JSON.stringify(found.extras.filter((extra) => !included[extra])),
        messages: frozen.length,
        created_at: found.share?.created_at ?? now,
        shared_at: now,
      };
      return (await storeShare(database, owner, { row, frozen })) ? toShare(row) : undefined;
    },
    list: async (owner) => (await selectShares(database, owner).execute()).map(toShare),
    revoke: async (owner, id) => {
      const row = await selectShares(database, owner)
        .where('shares.id', '=', id)
        .executeTakeFirst();
      await database
        .deleteFrom('shares')
        .where('id', '=', row?.id ?? '')
        .execute();
      return row && toShare(row);
    },
    open: (token) => openShare(database, token),
    messages: (id) => readMessages(database, id),
    readFile: (id, fileId) => readFile(database, id, fileId),
  };
}

/** Only the hash is stored, so that a leaked database or backup opens no link. */
function hashToken(token: string): string {
  return sha256(token);
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

function selectShares(database: Database, owner: string) {
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
  const isOutdated =
    share !== undefined && (row.updated_at > share.shared_at || messages !== share.messages);
  const extras = await findExtras(database, id);
  const { app_id: appId, title } = row;
  return { appId, title, share, messages, extras, isOutdated: isOutdated };
}

/** Extras of a conversation beyond its messages' text. */
async function findExtras(database: Database, id: string): Promise<SharedExtra[]> {
  const hasRows = async (table: 'files' | 'tool_results' | 'activations') =>
    (await database
      .selectFrom(table)
      .select('conversation_id')
      .where('conversation_id', '=', id)
      .limit(1)
      .executeTakeFirst()) !== undefined;
  const withThinking = database
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', id)
    .where('role', '=', 'assistant')
    .where('details', 'not like', '%"thinking":""%')
    .limit(1);
  const has = {
    files: await hasRows('files'),
    details:
      (await hasRows('tool_results')) ||
      (await hasRows('activations')) ||
      (await withThinking.executeTakeFirst()) !== undefined,
  };
  return sharedExtras.filter((extra) => has[extra]);
}

async function openShare(database: Database, token: string): Promise<OpenShare | undefined> {
  const row = await database
    .selectFrom('shares')
    .innerJoin('conversations', 'conversations.id', 'shares.conversation_id')
    .innerJoin('users', 'users.id', 'conversations.owner')
    .select(['shares.id', 'shares.title', 'shared_at', 'public', 'without', 'users.name'])
    .where('hash', '=', hashToken(token))
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      title: row.title,
      sharedAt: row.shared_at,
      isPublic: row.public === 1,
      by: row.name,
      without: JSON.parse(row.without) as SharedExtra[],
    }
  );
}

async function* readMessages(database: Database, id: string): AsyncGenerator<string> {
  for (let position = 0; ; position += batchSize) {
    const rows = await database
      .selectFrom('share_messages')
      .select('content')
      .where('share_id', '=', id)
      .where('position', '>=', position)
      .where('position', '<', position + batchSize)
      .orderBy('position')
      .execute();
    yield* rows.map(({ content }) => content);
    if (rows.length < batchSize) {
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

/** Maximum length of a copy, in characters. */
const maxLength = 64_000_000;

/** Copies a conversation's messages as readers will get them, each as JSON. Throws `too-large`. */
async function freezeConversation(
  database: Database,
  id: string,
  freezing: FreezeOptions,
): Promise<string[]> {
  const frozen: string[] = [];
  let length = 0;
  for await (const messages of frozenMessages(database, id, freezing)) {
    const texts = messages.map((message) => JSON.stringify(message));
    frozen.push(...texts);
    length += texts.reduce((sum, text) => sum + text.length, 0);
    if (length > maxLength) {
      throw problem(
        'too-large',
        'This conversation is too long to be shared like that. Share it without reasoning and tool calls.',
      );
    }
  }
  return frozen;
}

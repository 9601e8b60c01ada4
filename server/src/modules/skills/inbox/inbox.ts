import { randomUUID } from 'node:crypto';
import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';
import { type InboxItem, maxOpenItems } from '@knowhow/shared/skills/inbox';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { parseCursor } from '../../../platform/lib/cursors.ts';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { QueueNotice } from '../mail/mail-queue.ts';
import { type CommentInbox, createCommentInbox } from './comment-inbox.ts';

/** Suggestions and requests for access, and who may read them. */
export interface Inbox {
  /**
   * Adds an item. A second open request of a user for a skill changes nothing. Throws `conflict` if the
   * user has too many open items.
   */
  add(item: NewItem): Promise<void>;
  /** Whether a reader ever had an item or owns a skill, and the number of open items they have received. */
  summarize(reader: Reader): Promise<{ hasAny: boolean; open: number }>;
  list(reader: Reader, page: Page): Promise<ItemPage>;
  /** An item that the reader has received. Throws `not-found`. */
  find(reader: Reader, id: string): Promise<StoredItem>;
  /** Any item, for what is checked by other means. */
  read(id: string): Promise<StoredItem | undefined>;
  /** Whether the reader has received an item. */
  receives(reader: Reader, id: string): Promise<boolean>;
  /** Decides about an item: others decide before or afterwards. */
  decide<Result>(id: string, run: () => Promise<Result>): Promise<Result>;
  /** Closes an open item. Throws `conflict` if it is closed already. */
  close(id: string, decision: Decision): Promise<void>;
  /** Names of the skills to which a user has requested access. */
  findRequested(user: string): Promise<Set<string>>;
  /** Comments on reviews. */
  comments: CommentInbox;
  /** Before an account is deleted: makes its items anonymous, and deletes its evidence. */
  forgetUser(user: string): Promise<void>;
}

/** Someone with an inbox: an owner of skills, personally or through a group, an author, or an administrator. */
export interface Reader {
  id: string;
  /** Ids of existing groups. */
  groups: readonly string[];
  /** Whether they read the items about all skills. */
  readsAll: boolean;
  /** Names of skills whose suggestions they receive while these have no owner, as authors of their categories. */
  authored: ReadonlySet<string>;
  /** Ids of all groups: one that does not exist is no owner. */
  allGroups: readonly string[];
}

export interface NewItem {
  /** The id of the skill. */
  skill: string;
  kind: InboxItem['kind'];
  /** The sender. */
  user: string;
  title: string;
  comment: string;
  evidence?: InboxItem['evidence'];
}

export interface StoredItem extends Pick<InboxItem, 'id' | 'kind' | 'state' | 'evidence'> {
  /** Current or last name of the skill. */
  skill: string;
  title: string;
  /** The id of the sender, whose account may have been deleted. */
  user: string | undefined;
  /** Display name; undefined for a deleted account. */
  from: string | undefined;
  createdAt: string;
  comment: string;
  closed: InboxItem['closed'];
}

interface Page extends PageQuery {
  state: 'open' | 'done' | 'sent';
}

interface ItemPage {
  items: StoredItem[];
  total: number;
  nextCursor?: string;
}

interface Decision {
  state: 'done' | 'granted';
  by: { id: string; name: string };
  reply: string | undefined;
}

/** @param queue tells people by e-mail */
export function createInbox(
  { withLock }: Pick<Cluster, 'withLock'>,
  database: Database,
  queue: QueueNotice,
): Inbox {
  const findReceived = (reader: Reader, id: string) =>
    items(database).where('item.id', '=', id).where(receivedBy(reader)).executeTakeFirst();
  return {
    add: (item) => addItem(database, item, queue),
    summarize: (reader) => summarize(database, reader),
    list: (reader, page) => listItems(database, reader, page),
    find: async (reader, id) => {
      const row = await findReceived(reader, id);
      if (!row) {
        throw problem('not-found', 'There is no such item in your inbox.');
      }
      return toItem(row);
    },
    read: async (id) => {
      const row = await items(database).where('item.id', '=', id).executeTakeFirst();
      return row && toItem(row);
    },
    receives: async (reader, id) => (await findReceived(reader, id)) !== undefined,
    decide: (id, run) => withLock(`inbox item ${id}`, run),
    close: (id, { state, by, reply }) =>
      database.transaction().execute(async (write) => {
        const closed = { closed_at: new Date().toISOString(), closed_by: by.name };
        const { numUpdatedRows } = await write
          .updateTable('inbox_items')
          .set({ state, ...closed, reply: reply || null })
          .where('id', '=', id)
          .where('state', '=', 'open')
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) {
          throw closedItem();
        }
        await queue(write, { kind: 'answered', ref: id, by: by.id });
      }),
    findRequested: async (user) => {
      const rows = await database
        .selectFrom('inbox_items as item')
        .innerJoin('skills', 'skills.id', 'item.skill')
        .select('skills.name')
        .where('item.user_id', '=', user)
        .where('item.kind', '=', 'access')
        .where('item.state', '=', 'open')
        .execute();
      return new Set(rows.map(({ name }) => name));
    },
    comments: createCommentInbox(database),
    forgetUser: async (user) => {
      await database
        .updateTable('inbox_items')
        .set({ user_id: null, question: null, answer: null })
        .where('user_id', '=', user)
        .execute();
    },
  };
}

/** The problem for a decision about a closed item. */
export function closedItem() {
  return problem('conflict', 'This item is closed already. Load the inbox again to see the reply.');
}

async function addItem(
  database: Database,
  { skill, kind, user, title, comment, evidence }: NewItem,
  queue: QueueNotice,
): Promise<void> {
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, `inbox ${user}`);
    const sent = write
      .selectFrom('inbox_items')
      .where('user_id', '=', user)
      .where('state', '=', 'open');
    const asked = sent.select('id').where('kind', '=', kind).where('skill', '=', skill);
    // A second click sends the same suggestion again.
    const same = kind === 'access' ? asked : asked.where('comment', '=', comment);
    if (await same.executeTakeFirst()) {
      return;
    }
    const open = await sent
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirst();
    if (Number(open?.total ?? 0) >= maxOpenItems) {
      throw problem(
        'conflict',
        `You have ${maxOpenItems} open suggestions and requests. Wait until some of them are done.`,
      );
    }
    const id = randomUUID();
    await write
      .insertInto('inbox_items')
      .values({
        id,
        skill,
        kind,
        state: 'open',
        user_id: user,
        title,
        comment,
        question: evidence?.question ?? null,
        answer: evidence?.answer ?? null,
        created_at: new Date().toISOString(),
      })
      .execute();
    await queue(write, { kind: 'received', ref: id, by: user });
  });
}

async function summarize(database: Database, reader: Reader): ReturnType<Inbox['summarize']> {
  const open = await items(database)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('item.state', '=', 'open')
    .where(receivedBy(reader))
    .executeTakeFirst();
  const total = Number(open?.total ?? 0);
  if (reader.readsAll || reader.authored.size > 0 || total > 0) {
    return { hasAny: true, open: total };
  }
  const sent = await database
    .selectFrom('inbox_items')
    .select('id')
    .where('user_id', '=', reader.id)
    .limit(1)
    .executeTakeFirst();
  const owned =
    sent ??
    (await database
      .selectFrom('skills')
      .select('id')
      .where(ownedBy(reader))
      .limit(1)
      .executeTakeFirst());
  return { hasAny: owned !== undefined, open: total };
}

async function listItems(
  database: Database,
  reader: Reader,
  { state, limit, cursor }: Page,
): Promise<ItemPage> {
  const start = parseCursor(cursor) ?? 0;
  const found = items(database)
    .$if(state === 'sent', (query) => query.where('item.user_id', '=', reader.id))
    .$if(state !== 'sent', (query) => query.where(receivedBy(reader)))
    .$if(state === 'open', (query) => query.where('item.state', '=', 'open'))
    .$if(state === 'done', (query) => query.where('item.state', 'in', ['done', 'granted']));
  const count = await found
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst();
  // Sorting whole rows would read the evidence of every item.
  const ids = await found
    .clearSelect()
    .select('item.id')
    .orderBy('item.created_at', 'desc')
    .orderBy('item.id')
    .limit(limit)
    .offset(start)
    .execute();
  const rows =
    ids.length === 0
      ? []
      : await items(database)
          .where(
            'item.id',
            'in',
            ids.map(({ id }) => id),
          )
          .orderBy('item.created_at', 'desc')
          .orderBy('item.id')
          .execute();
  const total = Number(count?.total ?? 0);
  const end = start + rows.length;
  return {
    items: rows.map(toItem),
    total,
    ...(rows.length > 0 && end < total ? { nextCursor: String(end) } : {}),
  };
}

function items(database: Kysely<Schema>) {
  return database
    .selectFrom('inbox_items as item')
    .innerJoin('skills', 'skills.id', 'item.skill')
    .leftJoin('users', 'users.id', 'item.user_id')
    .selectAll('item')
    .select(['skills.name as skill_name', 'users.name as sender']);
}

/** SQL condition: the skill belongs to the reader, or to one of their groups. */
function ownedBy({ id, groups }: Reader) {
  return ({ eb, and, or }: ExpressionBuilder<Schema, 'skills'>) =>
    or([
      and([eb('skills.owner_kind', '=', 'user'), eb('skills.owner_id', '=', id)]),
      ...(groups.length > 0
        ? [and([eb('skills.owner_kind', '=', 'group'), eb('skills.owner_id', 'in', groups)])]
        : []),
    ]);
}

/** SQL condition: the reader receives items about the skill. */
function receivedBy(reader: Reader) {
  return (builder: ExpressionBuilder<Schema, 'skills'>) => {
    const { readsAll, authored } = reader;
    return readsAll
      ? builder.lit(true)
      : builder.or([
          ownedBy(reader)(builder),
          ...(authored.size === 0
            ? []
            : [
                builder.and([
                  sql<boolean>`item.kind = 'suggestion'`,
                  builder('skills.name', 'in', inList([...authored])),
                  hasNoOwner(reader)(builder),
                ]),
              ]),
        ]);
  };
}

/** SQL condition: the skill has no owner, or one that does not exist. */
function hasNoOwner({ allGroups }: Reader) {
  return ({ eb, and, or, not, exists, selectFrom }: ExpressionBuilder<Schema, 'skills'>) =>
    or([
      eb('skills.owner_kind', 'is', null),
      and([
        eb('skills.owner_kind', '=', 'group'),
        eb('skills.owner_id', 'not in', inList([...allGroups])),
      ]),
      and([
        eb('skills.owner_kind', '=', 'user'),
        not(exists(selectFrom('users').select('id').whereRef('users.id', '=', 'skills.owner_id'))),
      ]),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof items>['execute']>>[number];

function toItem(row: Row): StoredItem {
  const { question, answer, closed_at: at, closed_by: by, reply } = row;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    skill: row.skill_name,
    title: row.title,
    user: row.user_id ?? undefined,
    from: row.sender ?? undefined,
    createdAt: row.created_at,
    comment: row.comment,
    ...(question === null || answer === null ? {} : { evidence: { question, answer } }),
    closed:
      at === null
        ? undefined
        : { at, ...(by === null ? {} : { by }), ...(reply === null ? {} : { reply }) },
  };
}

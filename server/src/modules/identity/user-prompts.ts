import { randomUUID } from 'node:crypto';
import {
  maxUserPrompts,
  type SharedPrompt,
  type UserPrompt,
} from '@knowhow/shared/chat/user-prompts';
import { problem } from '@knowhow/shared/problem';
import { type Selectable, sql } from 'kysely';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Contents } from '../content/index.ts';
import { type Caller, signedInCaller } from './caller.ts';
import { getUserGroups } from './identity.ts';

type Row = Selectable<Schema['user_prompts']>;
type OwnedRow = Row & { owner: string; owner_groups: string; directory: string | null };
type Written = Pick<UserPrompt, 'name' | 'text' | 'groups'>;

/** Maximum number of shared prompts offered to a user, most recently changed first. */
const maxOffered = 200;
/** Maximum number listed for administrators. */
const maxListed = 1000;

/** By name. */
export async function ownPrompts(database: Database, userId: string): Promise<UserPrompt[]> {
  const rows = await database
    .selectFrom('user_prompts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(promptOf);
}

/**
 * Prompts that others share with a group of the caller. A prompt is hidden while its owner is
 * disabled, or is no longer in any of these groups.
 */
export async function promptsSharedWith(
  database: Database,
  { id, groups }: Caller,
  contents: Contents,
): Promise<SharedPrompt[]> {
  if (groups.length === 0) {
    return [];
  }
  const inEveryAccount = new Set(contents.platform.authenticatedGroups);
  const rows = await sharedPrompts(database)
    .where('user_id', '<>', id)
    .where('users.disabled', '=', 0)
    .where(({ or, and }) =>
      or(
        groups.map((group) =>
          and([
            names('user_prompts.groups', group),
            ...(inEveryAccount.has(group)
              ? []
              : [or([names('users.groups', group), names('users.directory', group)])]),
          ]),
        ),
      ),
    )
    .limit(maxOffered)
    .execute();
  // The query also matches other texts in the directory column.
  return rows.filter((row) => isSharedWith(row, groups, contents)).map(sharedOf);
}

function names(column: 'user_prompts.groups' | 'users.groups' | 'users.directory', group: string) {
  const text = sql.ref(column);
  return sql<boolean>`replace(${text}, ${JSON.stringify(group)}, '') <> ${text}`;
}

function isSharedWith(
  { groups, owner_groups, directory }: OwnedRow,
  readerGroups: readonly string[],
  contents: Contents,
): boolean {
  const account = { id: '', name: '', groups: getUserGroups({ groups: owner_groups, directory }) };
  const { groups: ownerGroups } = signedInCaller(account, contents);
  const shared = JSON.parse(groups) as string[];
  return shared.some((group) => readerGroups.includes(group) && ownerGroups.includes(group));
}

/** All shared prompts, newest first. */
export async function allShared(database: Database): Promise<SharedPrompt[]> {
  const rows = await sharedPrompts(database).limit(maxListed).execute();
  return rows.map(sharedOf);
}

/** Throws `conflict` when there are too many. */
export async function addPrompt(
  database: Database,
  userId: string,
  written: Written,
): Promise<UserPrompt> {
  const now = new Date().toISOString();
  const row = {
    id: randomUUID(),
    user_id: userId,
    name: written.name,
    text: written.text,
    groups: JSON.stringify(written.groups),
    created_at: now,
    updated_at: now,
  };
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, `prompts ${userId}`);
    const { count } = await write
      .selectFrom('user_prompts')
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= maxUserPrompts) {
      throw problem(
        'conflict',
        `You have ${maxUserPrompts} prompts. Delete one that you do not need.`,
      );
    }
    await write.insertInto('user_prompts').values(row).execute();
  });
  return promptOf(row);
}

/** Throws `not-found`. */
export async function changePrompt(
  database: Database,
  userId: string,
  { id, name, text, groups }: Written & { id: string },
): Promise<UserPrompt> {
  const row = await database
    .updateTable('user_prompts')
    .set({ name, text, groups: JSON.stringify(groups), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return promptOf(found(row));
}

/** Throws `not-found`. */
export async function removePrompt(database: Database, userId: string, id: string): Promise<void> {
  const row = await database
    .deleteFrom('user_prompts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  found(row);
}

/** Makes a prompt private again. Throws `not-found` if it is not shared. */
export async function endSharing(database: Database, id: string): Promise<UserPrompt> {
  const row = await database
    .updateTable('user_prompts')
    .set({ groups: '[]' })
    .where('id', '=', id)
    .where('groups', '<>', '[]')
    .returningAll()
    .executeTakeFirst();
  return promptOf(found(row));
}

/** Removes a deleted group from all prompts: a new group with the same id must not get them. */
export async function endSharingWith(database: Database, group: string): Promise<void> {
  const rows = await database
    .selectFrom('user_prompts')
    .select(['id', 'groups'])
    .where('groups', '<>', '[]')
    .execute();
  for (const row of rows) {
    const groups = JSON.parse(row.groups) as string[];
    if (groups.includes(group)) {
      const others = JSON.stringify(groups.filter((id) => id !== group));
      await database
        .updateTable('user_prompts')
        .set({ groups: others })
        .where('id', '=', row.id)
        .where('groups', '=', row.groups)
        .execute();
    }
  }
}

/** Matches the partial index. */
function sharedPrompts(database: Database) {
  return database
    .selectFrom('user_prompts')
    .innerJoin('users', 'users.id', 'user_prompts.user_id')
    .selectAll('user_prompts')
    .select(['users.name as owner', 'users.groups as owner_groups', 'users.directory'])
    .where('user_prompts.groups', '<>', sql.lit('[]'))
    .orderBy('user_prompts.updated_at', 'desc')
    .orderBy('user_prompts.id', 'desc');
}

function promptOf({ id, name, text, groups, updated_at }: Row): UserPrompt {
  return { id, name, text, groups: JSON.parse(groups) as string[], updatedAt: updated_at };
}

function sharedOf(row: OwnedRow): SharedPrompt {
  return { ...promptOf(row), owner: row.owner };
}

function found(row: Row | undefined): Row {
  if (!row) {
    throw problem('not-found', 'There is no such prompt.');
  }
  return row;
}

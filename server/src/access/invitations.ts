import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Invitation } from '@knowhow/shared/access/invitations';
import { problem } from '@knowhow/shared/problem';
import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';

/** Links by which people make accounts of their own, each good once: of each its SHA-256. */
export interface Invitations {
  /** Those that are still good, the newest first. */
  list(): Promise<Invitation[]>;
  /** Throws `conflict` when there are too many. `token` is known to nobody afterwards. */
  create(wanted: NewInvitation): Promise<{ token: string; details: Invitation }>;
  /** Answers what is gone. Throws `not-found`. */
  remove(id: string): Promise<Invitation>;
  /** Throws `not-found` for one that is no good. */
  find(token: string): Promise<Invitation>;
  /** Uses one up in the transaction that makes the account. Throws `not-found` for one that is no good by then. */
  use(transaction: Transaction<Schema>, token: string): Promise<void>;
}

interface NewInvitation {
  note: string;
  groups: readonly string[];
  expiresInDays: number;
  createdBy: string;
}

type Row = Selectable<Schema['invitations']>;

const mostOpen = 1000;
const dayMs = 86_400_000;
const tokenBytes = 32;

export function createInvitations(database: Database): Invitations {
  const list = async () => {
    await database.deleteFrom('invitations').where('expires_at', '<', now()).execute();
    const rows = await database
      .selectFrom('invitations')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(invitationOf);
  };
  return {
    list,
    create: async (wanted) => {
      if ((await list()).length >= mostOpen) {
        throw problem('conflict', `There are ${mostOpen} invitations already. Take one back.`);
      }
      return create(database, wanted);
    },
    remove: async (id) => {
      const row = await database
        .deleteFrom('invitations')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) {
        throw problem('not-found', 'There is no such invitation: it may have been used already.');
      }
      return invitationOf(row);
    },
    find: async (token) => {
      const row = await database
        .selectFrom('invitations')
        .selectAll()
        .where('hash', '=', hashOf(token))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return invitationOf(row ?? noInvitation());
    },
    use: async (transaction, token) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('invitations')
        .where('hash', '=', hashOf(token))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      if (numDeletedRows === 0n) {
        noInvitation();
      }
    },
  };
}

async function create(
  database: Database,
  { note, groups, expiresInDays, createdBy }: NewInvitation,
): Promise<{ token: string; details: Invitation }> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const at = Date.now();
  const row = {
    ...{ id: randomUUID(), hash: hashOf(token), note, groups: JSON.stringify(groups) },
    created_by: createdBy,
    created_at: new Date(at).toISOString(),
    expires_at: new Date(at + expiresInDays * dayMs).toISOString(),
  };
  await database.insertInto('invitations').values(row).execute();
  return { token, details: invitationOf(row) };
}

function noInvitation(): never {
  throw problem(
    'not-found',
    'This invitation is not good any more: it has been used, taken back, or has expired. Ask for another one.',
  );
}

function now(): string {
  return new Date().toISOString();
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function invitationOf(row: Row): Invitation {
  return {
    ...{ id: row.id, note: row.note, createdBy: row.created_by },
    groups: JSON.parse(row.groups) as string[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

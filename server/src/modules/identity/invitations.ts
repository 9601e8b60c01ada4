import { randomBytes, randomUUID } from 'node:crypto';
import type { Invitation } from '@knowhow/shared/access/invitations';
import { problem } from '@knowhow/shared/problem';
import type { Selectable, Transaction } from 'kysely';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Contents } from '../content/index.ts';
import type { Caller } from './caller.ts';
import { adminRightsOfGroups, assertNoPrivilegeEscalation } from './rights/admin-rights.ts';
import { assertMembershipsExist } from './rights/assert-groups-exist.ts';
import { creatorCheck, requireRight } from './rights/check-creator.ts';

/** Single-use links for creating an account. Tokens are stored as SHA-256 hashes. */
export interface Invitations {
  /** Valid invitations, newest first. */
  list(): Promise<Invitation[]>;
  /** Throws `conflict` if there are too many. `token` is not stored and cannot be recovered. */
  create(wanted: NewInvitation): Promise<{ token: string; details: Invitation }>;
  /** Returns the deleted invitation. Throws `not-found`. */
  remove(id: string): Promise<Invitation>;
  /** Throws `not-found` if it is unknown or has expired. It may be void: see `refuseVoid`. */
  find(token: string): Promise<Invitation>;
  /**
   * Redeems an invitation in the transaction that creates the account. Throws `not-found` if it has
   * been used or has expired, `forbidden` if it is void.
   */
  use(transaction: Transaction<Schema>, token: string): Promise<void>;
}

interface NewInvitation {
  note: string;
  groups: readonly string[];
  expiresInDays: number;
  createdBy: Caller;
}

type Row = Selectable<Schema['invitations']>;

const maxInvitations = 1000;
const dayMs = 86_400_000;
const tokenBytes = 32;

/** Throws unless an administrator may create an account in these groups: now, or once an invitation is accepted. */
export function checkInvitation(by: Caller, groups: string[], contents: Contents): void {
  requireRight(by, 'users');
  assertMembershipsExist(groups, contents);
  const rights = adminRightsOfGroups(groups, contents);
  assertNoPrivilegeEscalation(by, rights, 'The new user would administer more than you do.');
}

/** Throws `forbidden` if the creator of an invitation may no longer give its groups. */
export function refuseVoid({ isVoid }: Pick<Invitation, 'isVoid'>): void {
  if (isVoid) {
    throw problem(
      'forbidden',
      'This invitation is void: the administrator who created it may no longer give its groups. Ask another administrator for a new one.',
    );
  }
}

export function createInvitations(database: Database, contents: () => Contents): Invitations {
  const describe = async (reader: Database, rows: Row[]) => {
    const state = contents();
    const check = (by: Caller, row: Row) => checkInvitation(by, groupsOf(row), state);
    const isValid = await creatorCheck(reader, rows, { contents: state, check });
    return rows.map((row) => invitationOf(row, !isValid(row)));
  };
  const describeOne = async (reader: Database, row: Row | undefined) => {
    const [invitation] = await describe(reader, row ? [row] : []);
    return invitation ?? noInvitation();
  };
  const list = async () => {
    await database.deleteFrom('invitations').where('expires_at', '<', now()).execute();
    const rows = await database
      .selectFrom('invitations')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return describe(database, rows);
  };
  return {
    list,
    create: async (wanted) => {
      if ((await list()).length >= maxInvitations) {
        throw problem('conflict', `There are ${maxInvitations} invitations already. Revoke one.`);
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
      return invitationOf(row, false);
    },
    find: async (token) => {
      const row = await database
        .selectFrom('invitations')
        .selectAll()
        .where('hash', '=', sha256(token))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return describeOne(database, row);
    },
    use: async (transaction, token) => {
      const row = await transaction
        .deleteFrom('invitations')
        .where('hash', '=', sha256(token))
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst();
      refuseVoid(await describeOne(transaction, row));
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
    id: randomUUID(),
    hash: sha256(token),
    note,
    groups: JSON.stringify(groups),
    created_by: createdBy.name,
    created_by_id: createdBy.id,
    created_at: new Date(at).toISOString(),
    expires_at: new Date(at + expiresInDays * dayMs).toISOString(),
  };
  await database.insertInto('invitations').values(row).execute();
  return { token, details: invitationOf(row, false) };
}

function noInvitation(): never {
  throw problem(
    'not-found',
    'This invitation is no longer valid: it has been used or revoked, or has expired. Ask for a new one.',
  );
}

function now(): string {
  return new Date().toISOString();
}

function groupsOf(row: Row): string[] {
  return JSON.parse(row.groups) as string[];
}

function invitationOf(row: Row, isVoid: boolean): Invitation {
  return {
    id: row.id,
    note: row.note,
    createdBy: row.created_by,
    isVoid,
    groups: groupsOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

import { isMailAddress } from '@knowhow/shared/access/mail';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import { flag, id, text } from '../../../platform/storage/row-columns.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/**
 * `received`: an inbox item for the owner. `answered`: its answer for the sender. `submitted`: a review for those who
 * publish. `decided`: its decision for the authors. `commented`: a comment for authors and others who commented.
 */
type NoticeKind = 'received' | 'answered' | 'submitted' | 'decided' | 'commented';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** E-mail settings of users. */
    mail_settings: {
      user_id: string;
      /** Set by an administrator; null for the address from the identity provider. */
      address: string | null;
      /** Whether the user wants e-mail. */
      is_on: number;
      /** Language tag with which they last used the pages. */
      language: string | null;
    };
    /** News that people are still to be told by e-mail. Not part of backups. */
    mail_notices: {
      id: string;
      /** The recipient; null until the recipients are determined. */
      user_id: string | null;
      kind: NoticeKind;
      /** The id of the inbox item, the review or the comment. */
      ref: string;
      /** The user who caused it, who is not told. */
      by_id: string;
      created_at: string;
    };
    /** Recipients to whom the last attempt failed. Not part of backups. */
    mail_failures: {
      user_id: string;
      failures: number;
      message: string;
      failed_at: string;
      /** When the next attempt is made. */
      next_at: string;
    };
  }
}

const statements = [
  `create table mail_settings (
    user_id text not null references users (id) on delete cascade,
    address text,
    is_on integer not null,
    language text,
    constraint mail_settings_key primary key (user_id)
  )`,
  `create table mail_notices (
    id text not null,
    user_id text,
    kind text not null,
    ref text not null,
    by_id text not null,
    created_at text not null,
    constraint mail_notices_key primary key (id)
  )`,
  'create index mail_notices_user on mail_notices (user_id, created_at)',
  `create table mail_failures (
    user_id text not null,
    failures integer not null,
    message text not null,
    failed_at text not null,
    next_at text not null,
    constraint mail_failures_key primary key (user_id)
  )`,
];

/** Creates the tables of e-mail. */
export async function createMailTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

const row = z.strictObject({
  user_id: id,
  address: text.refine(isMailAddress, 'Not an e-mail address.').nullable(),
  is_on: flag,
  language: text.refine(({ length }) => length <= 40, 'Too long.').nullable(),
}) satisfies z.ZodType<Schema['mail_settings']>;

export const mailBackup = [
  backupTable('mail_settings', {
    part: 'users',
    key: ['user_id'],
    unique: ['user_id'],
    row,
    parents: { user_id: 'users' },
  }),
];

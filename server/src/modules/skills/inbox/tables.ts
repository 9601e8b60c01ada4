import { inboxStates } from '@knowhow/shared/skills/inbox';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import { id, name, text, time } from '../../../platform/storage/row-columns.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Suggestions about skills, and requests for access to them. */
    inbox_items: {
      id: string;
      /** The id of the skill. */
      skill: string;
      kind: 'suggestion' | 'access';
      state: (typeof inboxStates)[number];
      /** The sender; null once their account was deleted. */
      user_id: string | null;
      /** The skill's display name as the sender saw it. */
      title: string;
      comment: string;
      /** The exchange in which the skill was used; null without consent. */
      question: string | null;
      answer: string | null;
      created_at: string;
      closed_at: string | null;
      /** Display name. */
      closed_by: string | null;
      reply: string | null;
    };
  }
}

const statements = [
  'alter table skills add column owner_kind text',
  'alter table skills add column owner_id text',
  'create index skills_by_owner on skills (owner_kind, owner_id)',
  `create table inbox_items (
    id text not null,
    skill text not null,
    kind text not null,
    state text not null,
    user_id text,
    title text not null,
    comment text not null,
    question text,
    answer text,
    created_at text not null,
    closed_at text,
    closed_by text,
    reply text,
    constraint inbox_items_key primary key (id)
  )`,
  'create index inbox_items_by_skill on inbox_items (skill, state, created_at)',
  'create index inbox_items_by_state on inbox_items (state, created_at)',
  'create index inbox_items_by_user on inbox_items (user_id, created_at)',
  `create unique index inbox_items_open_requests on inbox_items (user_id, skill)
    where kind = 'access' and state = 'open'`,
];

/** Adds owners of skills, and creates the table of the inbox. */
export async function createInboxTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

const row = z.strictObject({
  id,
  skill: id,
  kind: z.enum(['suggestion', 'access']),
  state: z.enum(inboxStates),
  user_id: id.nullable(),
  title: name.max(10_000),
  comment: text,
  question: text.nullable(),
  answer: text.nullable(),
  created_at: time,
  closed_at: time.nullable(),
  closed_by: name.max(300).nullable(),
  reply: text.nullable(),
}) satisfies z.ZodType<Schema['inbox_items']>;

/** The inbox in a backup. It is restored with the versions, because items refer to skills by id. */
export const inboxBackup = [
  backupTable('inbox_items', { part: 'skill_versions', key: ['id'], unique: ['id'], row }),
];

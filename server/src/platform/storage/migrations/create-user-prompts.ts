import { type Kysely, sql } from 'kysely';

export interface UserPromptTables {
  /** Prompts that users have saved. */
  user_prompts: {
    id: string;
    user_id: string;
    name: string;
    text: string;
    /** JSON: ids of the groups it is shared with. */
    groups: string;
    created_at: string;
    updated_at: string;
  };
}

const statements = [
  `create table user_prompts (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    text text not null,
    groups text not null,
    created_at text not null,
    updated_at text not null
  )`,
  'create index user_prompts_by_user on user_prompts (user_id, name)',
  `create index user_prompts_shared on user_prompts (updated_at, id) where groups <> '[]'`,
];

export async function createUserPrompts(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}

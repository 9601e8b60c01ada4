import type { Kysely } from 'kysely';

/** Custom instructions, and where in a conversation they changed. */
export async function createPreferences({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('preferences', 'text').execute();
  await schema.alterTable('messages').addColumn('instructions', 'text').execute();
}

/** Answers of users to the questions of apps. */
export async function addAppAnswers({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('app_answers', 'text').execute();
}

/** Favourites; nullable, because an older version may be running at the same time. */
export async function addFavourites({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('favourites', 'text').execute();
}

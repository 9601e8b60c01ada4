import type { Kysely } from 'kysely';

/** What somebody wants of models, and where in a conversation they have said so. */
export async function createPreferences({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('preferences', 'text').execute();
  await schema.alterTable('messages').addColumn('instructions', 'text').execute();
}

/** What somebody has answered to the questions of apps. */
export async function addAppAnswers({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('app_answers', 'text').execute();
}

/** What somebody keeps at hand; empty for an older version that runs beside this one. */
export async function addFavourites({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('favourites', 'text').execute();
}

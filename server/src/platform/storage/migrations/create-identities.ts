import type { Kysely } from 'kysely';

/** Sign-in with identity providers: identity, profile and sessions. */
export async function createIdentities({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('identity', 'text').execute();
  await schema.alterTable('users').addColumn('directory', 'text').execute();
  await schema.createIndex('users_by_identity').on('users').column('identity').unique().execute();
  await schema
    .createTable('session_origins')
    .addColumn('session_id', 'text', (column) =>
      column.primaryKey().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('sid', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('refresh_at', 'text')
    .execute();
  await schema
    .createIndex('session_origins_by_identity')
    .on('session_origins')
    .column('identity')
    .execute();
}

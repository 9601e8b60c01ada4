import type { Kysely } from 'kysely';

/** The provider of a session, in a searchable column; null for sessions of earlier versions. */
export async function nameSessionOrigins({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('session_origins').addColumn('provider', 'text').execute();
}

import type { Kysely } from 'kysely';

/** The PostgreSQL backend of a node's connection; null for a node of an earlier version. */
export async function nameBackends({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('nodes').addColumn('backend', 'text').execute();
}

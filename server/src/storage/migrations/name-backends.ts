import type { Kysely } from 'kysely';

/** Which connection of PostgreSQL is a node's own; null for a node of before. */
export async function nameBackends({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('nodes').addColumn('backend', 'text').execute();
}

import type { Kysely } from 'kysely';

/** Stores the creator of invitations and service keys by id: names are not unique and may change. */
export async function nameCreators({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('invitations').addColumn('created_by_id', 'text').execute();
  await schema.alterTable('service_keys').addColumn('created_by_id', 'text').execute();
}

import type { Kysely } from 'kysely';

/** With which provider a session began, where it can be looked for; null for those of before. */
export async function nameSessionOrigins({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('session_origins').addColumn('provider', 'text').execute();
}

import type { Kysely } from 'kysely';

/** The assignments of a deleted skill, so that a restore brings them back. */
export async function keepAssignments({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('skill_revisions').addColumn('assignments', 'text').execute();
}

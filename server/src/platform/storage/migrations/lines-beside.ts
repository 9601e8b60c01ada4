import type { Kysely } from 'kysely';

/** Whether a branch is a comparison answer, until its user accepts one of the two. */
export async function linesBeside({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('lines')
    .addColumn('beside', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

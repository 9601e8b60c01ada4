import type { Kysely } from 'kysely';

/** Whether a line is an answer that is shown beside the other one, until its user has taken one of them. */
export async function linesBeside({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('lines')
    .addColumn('beside', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

import type { Kysely } from 'kysely';

/** Pinned and archived conversations. */
export async function pinnedAndArchived({ schema }: Kysely<never>): Promise<void> {
  for (const name of ['pinned', 'archived']) {
    await schema
      .alterTable('conversations')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await schema
    .createIndex('conversations_in_order')
    .on('conversations')
    .columns(['owner', 'archived', 'pinned', 'updated_at', 'id'])
    .execute();
}

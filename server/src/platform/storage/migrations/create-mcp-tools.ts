import { type Kysely, sql } from 'kysely';

/** Approved descriptions of tools, and changes that wait for a review. */
export async function createMcpTools(database: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `create table mcp_tools (
        server text not null,
        name text not null,
        approved text,
        offered text,
        is_there integer not null,
        primary key (server, name)
      )`,
    )
    .execute(database);
}

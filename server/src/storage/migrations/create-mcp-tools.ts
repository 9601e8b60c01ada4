import { type Kysely, sql } from 'kysely';

/** What the tools of servers are like that somebody has agreed to, and what waits for that. */
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

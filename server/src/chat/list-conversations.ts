import type { ConversationSummary } from '@knowhow/shared/conversations';
import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../storage/open-database.ts';
import { summaryOf } from './conversation-rows.ts';

export interface ConversationPage {
  items: ConversationSummary[];
  total: number;
  nextCursor?: string;
}

export type ListQuery = PageQuery & { query?: string | undefined };

/** The newest first. `query` is looked for in titles and messages, without regard to case. */
export async function listConversations(
  database: Database,
  owner: string,
  { limit, cursor, query }: ListQuery,
): Promise<ConversationPage> {
  let matching = database.selectFrom('conversations').where('owner', '=', owner);
  if (query?.trim()) {
    matching = matching.where(containing(query.trim()));
  }
  const { total } = await matching
    .select((select) => select.fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (cursor !== undefined) {
    const after = parseCursor(cursor);
    page = page.where(({ eb, or, and }) =>
      or([
        eb('updated_at', '<', after.updatedAt),
        and([eb('updated_at', '=', after.updatedAt), eb('id', '<', after.id)]),
      ]),
    );
  }
  const rows = await page
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(summaryOf);
  const last = items.at(-1);
  return {
    items,
    total: Number(total),
    ...(rows.length > limit && last ? { nextCursor: cursorOf(last) } : {}),
  };
}

/** SQLite lowers ASCII letters only, so the words are looked for as they are written too. */
function containing(query: string) {
  const escaped = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
  const lower = escaped.toLowerCase();
  const like = (column: string) =>
    sql<boolean>`(lower(${sql.ref(column)}) like ${lower} escape '\\' or ${sql.ref(column)} like ${escaped} escape '\\')`;
  return sql<boolean>`(${like('conversations.title')} or exists (
    select 1 from messages
    where messages.conversation_id = conversations.id and ${like('messages.content')}
  ))`;
}

const cursorSchema = z.tuple([z.string(), z.string()]);

function cursorOf({ updatedAt, id }: ConversationSummary): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

function parseCursor(cursor: string): { updatedAt: string; id: string } {
  try {
    const [updatedAt, id] = cursorSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString()),
    );
    return { updatedAt, id };
  } catch {
    throw problem('invalid-request', 'The cursor is not one of ours. Begin without it.', {
      issues: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
    });
  }
}

import type {
  ConversationSummary,
  FoundConversation,
  SearchHit,
} from '@knowhow/shared/chat/conversations';
import type { PageQuery } from '@knowhow/shared/list';
import { sql } from 'kysely';
import { z } from 'zod';
import { invalidCursor } from '../../platform/lib/invalid-cursor.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { maxSearchedCharacters } from '../../platform/storage/search-limits.ts';
import { toSummary } from './conversation-rows.ts';
import { createSnippet } from './create-snippet.ts';
import type { FoundConversations } from './search-conversations.ts';
import { searchConversations, splitQuery } from './search-conversations.ts';
import { searchPauses } from './search-pauses.ts';

const batchSize = 10;

interface Search {
  found: FoundConversations;
  words: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Adds to each conversation found a snippet of its matching message. */
async function withHits(
  database: Database,
  items: readonly ConversationSummary[],
  { found, words, signal }: Search,
): Promise<FoundConversation[]> {
  const pause = searchPauses(signal);
  const hits = new Map<string, SearchHit>();
  const messages = items.flatMap(({ id }) => found.get(id) || []);
  for (let at = 0; at < messages.length; at += batchSize) {
    for (const { id, text } of await read(database, messages.slice(at, at + batchSize))) {
      hits.set(id, { messageId: id, ...createSnippet(text, words) });
      await pause();
    }
  }
  return items.map((item) => {
    const hit = hits.get(found.get(item.id) ?? '');
    return hit ? { ...item, hit } : item;
  });
}

async function read(
  database: Database,
  ids: readonly string[],
): Promise<{ id: string; text: string }[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, substr(content, 1, ${sql.lit(maxSearchedCharacters)}) as text from messages
    where id in ${inList(ids)}`.execute(database);
  return rows;
}

export interface ConversationPage {
  items: FoundConversation[];
  total: number;
  nextCursor?: string;
}

export type ListQuery = PageQuery & {
  query?: string | undefined;
  archived?: 'true' | 'false' | undefined;
  /** Empty for conversations without a folder. */
  folder?: string | undefined;
};

/**
 * Lists conversations, pinned ones first, then by last update. Archived ones are listed separately, except in a
 * search. In a search, `total` counts at most what the search found.
 */
export async function listConversations(
  database: Database,
  owner: string,
  {
    limit,
    cursor,
    query,
    archived,
    folder,
    signal,
  }: ListQuery & { signal?: AbortSignal | undefined },
): Promise<ConversationPage> {
  let matching = database.selectFrom('conversations').where('owner', '=', owner);
  const words = splitQuery(query ?? '');
  const found =
    words.length > 0 ? await searchConversations(database, owner, { words, signal }) : undefined;
  if (found) {
    matching = matching.where('id', 'in', inList([...found.keys()]));
  }
  if (words.length === 0 || archived !== undefined) {
    matching = matching.where('archived', '=', archived === 'true' ? 1 : 0);
  }
  if (folder !== undefined) {
    matching = matching.where('folder', folder === '' ? 'is' : '=', folder || null);
  }
  const { total } = await matching
    .select((select) => select.fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (cursor !== undefined) {
    const after = parseCursor(cursor);
    page = page.where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('pinned', 'updated_at', 'id'),
        '<',
        tuple(after.pinned, after.updatedAt, after.id),
      ),
    );
  }
  const rows = await page
    .orderBy('pinned', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toSummary);
  const last = items.at(-1);
  return {
    items: found ? await withHits(database, items, { found, words, signal }) : items,
    total: Number(total),
    ...(rows.length > limit && last ? { nextCursor: encodeCursor(last) } : {}),
  };
}

const cursorSchema = z.tuple([z.number(), z.string(), z.string()]);

function encodeCursor({ isPinned, updatedAt, id }: ConversationSummary): string {
  return Buffer.from(JSON.stringify([isPinned ? 1 : 0, updatedAt, id])).toString('base64url');
}

function parseCursor(cursor: string): { pinned: number; updatedAt: string; id: string } {
  try {
    const [pinned, updatedAt, id] = cursorSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString()),
    );
    return { pinned, updatedAt, id };
  } catch {
    throw invalidCursor();
  }
}

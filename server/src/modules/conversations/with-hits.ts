import type {
  ConversationSummary,
  FoundConversation,
  SearchHit,
} from '@knowhow/shared/chat/conversations';
import { sql } from 'kysely';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { maxSearchedCharacters } from '../../platform/storage/search-limits.ts';
import { createSnippet } from './create-snippet.ts';
import type { FoundConversations } from './search-conversations.ts';
import { searchPauses } from './search-pauses.ts';

const batchSize = 10;

interface Search {
  found: FoundConversations;
  words: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Adds to each conversation found a snippet of its matching message. */
export async function withHits(
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

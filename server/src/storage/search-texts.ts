import { sql } from 'kysely';
import { indexPending } from './index-pending.ts';
import type { Database } from './open-database.ts';
import { searchedCharacters } from './search-limits.ts';
import type { SearchedText } from './searched-texts.ts';
import { searchedTextsOf } from './searched-texts-of.ts';

/**
 * The texts of an owner that may hold all these words, the newest first, some at a time: every text that
 * does is among them.
 */
export async function* findTexts(
  database: Database,
  owner: string,
  words: readonly string[],
): AsyncGenerator<SearchedText[]> {
  await indexPending(database);
  yield* searchedTextsOf(database).find(database, owner, words);
}

/** Some texts as they are searched; those that have gone meanwhile are left out. */
export async function readTexts(
  database: Database,
  ids: readonly number[],
): Promise<{ id: number; text: string }[]> {
  const { rows } = await sql<{ id: number; text: string | null }>`
    select search_texts.id as id, case message_id
      when '' then (select title from conversations where id = conversation_id)
      else (
        select substr(content, 1, ${sql.lit(searchedCharacters)}) from messages
        where id = message_id
      ) end as text
    from search_texts where search_texts.id in (${sql.join(ids)})
  `.execute(database);
  return rows.flatMap(({ id, text }) => (text === null ? [] : { id, text }));
}

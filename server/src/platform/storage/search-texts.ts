import { sql } from 'kysely';
import { getSearchedTexts } from './get-searched-texts.ts';
import { indexPending } from './index-pending.ts';
import type { Database } from './open-database.ts';
import { maxSearchedCharacters } from './search-limits.ts';
import type { SearchedText } from './searched-texts.ts';

/**
 * Candidate texts of an owner that may contain all these words, newest first, in batches: no match
 * is missing.
 */
export async function* findTexts(
  database: Database,
  owner: string,
  words: readonly string[],
): AsyncGenerator<SearchedText[]> {
  await indexPending(database);
  yield* getSearchedTexts(database).find(database, owner, words);
}

/** A text in its searchable form. */
interface ReadText {
  id: number;
  text: string;
  /** Whether it is a message of an archived branch. */
  isAway: boolean;
}

/** Texts by id, newest first; deleted ones are omitted. */
export async function readTexts(database: Database, ids: readonly number[]): Promise<ReadText[]> {
  const { rows } = await sql<{ id: number; text: string | null; away: number }>`
    select search_texts.id as id, case message_id
      when '' then (select title from conversations where id = search_texts.conversation_id)
      else substr(content, 1, ${sql.lit(maxSearchedCharacters)}) end as text,
      case when messages.conversation_id <> search_texts.conversation_id then 1 else 0 end as away
    from search_texts left join messages on messages.id = message_id
    where search_texts.id in (${sql.join(ids)}) order by search_texts.id desc
  `.execute(database);
  return rows.flatMap(({ id, text, away }) =>
    text === null ? [] : { id, text, isAway: Number(away) === 1 },
  );
}

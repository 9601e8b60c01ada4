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

/** A text as it is searched. */
interface ReadText {
  id: number;
  text: string;
  /** Whether it is a message that is put away. */
  isAway: boolean;
}

/** Some texts, the newest first; those that have gone meanwhile are left out. */
export async function readTexts(database: Database, ids: readonly number[]): Promise<ReadText[]> {
  const { rows } = await sql<{ id: number; text: string | null; away: number }>`
    select search_texts.id as id, case message_id
      when '' then (select title from conversations where id = search_texts.conversation_id)
      else substr(content, 1, ${sql.lit(searchedCharacters)}) end as text,
      case when messages.conversation_id <> search_texts.conversation_id then 1 else 0 end as away
    from search_texts left join messages on messages.id = message_id
    where search_texts.id in (${sql.join(ids)}) order by search_texts.id desc
  `.execute(database);
  return rows.flatMap(({ id, text, away }) =>
    text === null ? [] : { id, text, isAway: Number(away) === 1 },
  );
}

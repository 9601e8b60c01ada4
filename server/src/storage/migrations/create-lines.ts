import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

/** Whose the conversations are that hold a line which is put away: nobody's, so that nobody finds them. */
export const lineOwner = '-';

export interface LineTables {
  /** What a conversation said from a message on, before that was edited or tried again. */
  lines: {
    /** Of the conversation that holds its rows, which is `lineOwner`'s. */
    id: string;
    /** Where it belongs: a conversation, or the line that it is a part of. */
    conversation_id: string;
    /** Of its first message. */
    position: number;
    /** JSON: ends of activations of before, which came in it. */
    ends: string;
    /** About what its texts take. */
    bytes: number;
    /** When it was put away, in the order in which that was done. */
    created_at: string;
    /** 1 where it is an answer beside the one that is shown, and neither has been taken. */
    beside: number;
  };
}

const statements = [
  `create table lines (
    id text primary key references conversations (id) on delete cascade,
    conversation_id text not null references conversations (id) on delete cascade,
    position integer not null,
    ends text not null,
    bytes integer not null,
    created_at text not null
  )`,
  'create index lines_by_conversation on lines (conversation_id, position)',
];

/** A search finds what is shown: a message that is put away leaves the index, and comes back with its line. */
const inSearch = `create trigger search_message_move after update of conversation_id on messages
    when new.conversation_id <> old.conversation_id and not exists (select 1 from search_paused) begin
      delete from search_index where rowid = (
        select id from search_texts
          where conversation_id = old.conversation_id and message_id = old.id
      );
      delete from search_texts
        where conversation_id = old.conversation_id and message_id = old.id;
      insert into search_pending (conversation_id, message_id)
        select new.conversation_id, new.id from conversations
          where id = new.conversation_id and owner <> '${lineOwner}' and new.status <> 'running';
  end`;

/** Room for the lines of conversations that are put away. */
export async function createLines(database: Kysely<never>): Promise<void> {
  // PostgreSQL's own trigger does that, too.
  for (const statement of isPostgres(database) ? statements : [...statements, inSearch]) {
    await sql.raw(statement).execute(database);
  }
}

import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

/**
 * Owner of the conversations that hold archived branches. It is no user, so searches never find them.
 */
export const lineOwner = '-';

export interface LineTables {
  /** Branches: messages of a conversation that an edit or a retry has replaced. */
  lines: {
    /** The conversation that holds the rows, owned by `lineOwner`. */
    id: string;
    /** The parent: a conversation, or another branch. */
    conversation_id: string;
    /** Position of its first message. */
    position: number;
    /** JSON: activations from before the branch that ended in it. */
    ends: string;
    /** Approximate size of its texts. */
    bytes: number;
    /** When it was archived; also the order. */
    created_at: string;
    /** 1 for a comparison answer that has not been accepted or dismissed. */
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

/**
 * Search finds what is displayed: an archived message leaves the index, and returns with its
 * branch.
 */
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

/** Branches of conversations. */
export async function createLines(database: Kysely<never>): Promise<void> {
  // On PostgreSQL, the search trigger covers this.
  for (const statement of isPostgres(database) ? statements : [...statements, inSearch]) {
    await sql.raw(statement).execute(database);
  }
}

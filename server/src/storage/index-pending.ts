import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { whenQuiet } from '../lib/when-quiet.ts';
import type { Database } from './open-database.ts';

/** So much goes into the index at a time: some milliseconds. */
const textsAtOnce = 20;
const bytesAtOnce = 200_000;
const quietMs = 5000;
/** What then waits takes the first search some tenths of a second. */
const latestMs = 10 * 60_000;

/** Puts into the index what has been noted, in slices that leave the event loop free. */
export async function indexPending(database: Database): Promise<void> {
  while ((await indexSome(database)) > 0) {
    await yieldToEventLoop();
  }
}

/**
 * Gives what has it done once nothing has been stored for some seconds, so that no answer under way
 * waits for it: it takes longer than all else that a turn writes. At the latest ten minutes after the
 * first call.
 */
export function indexSoon(database: Database): () => void {
  const index = () => {
    // Such as when the database is closed meanwhile. The next search does what is left.
    void indexPending(database).catch(() => undefined);
  };
  return whenQuiet(quietMs, index, latestMs).stir;
}

/** Answers how many. */
async function indexSome(database: Database): Promise<number> {
  const { rows } = await sql<Noted>`
    select id, coalesce(
      (select octet_length(content) from messages where messages.id = message_id), 0
    ) as bytes from search_pending order by id limit ${sql.lit(textsAtOnce)}`.execute(database);
  let bytes = 0;
  const slice = rows.filter((row, at) => {
    bytes += row.bytes;
    return at === 0 || bytes <= bytesAtOnce;
  });
  const last = slice.at(-1)?.id;
  if (last === undefined) {
    return 0;
  }
  await database.transaction().execute(async (transaction) => {
    // What has been deleted, or put away, meanwhile has no text.
    await sql`
      insert into search_input
      select conversation_id, message_id, text from (
        select conversation_id, message_id, case message_id
          when '' then (select title from conversations where id = noted.conversation_id)
          else (select content from messages
            where id = message_id and conversation_id = noted.conversation_id
              and status <> 'running')
          end as text
        from (
          select distinct conversation_id, message_id from search_pending where id <= ${last}
        ) as noted
      ) where text is not null
    `.execute(transaction);
    await sql`delete from search_pending where id <= ${last}`.execute(transaction);
  });
  return slice.length;
}

interface Noted {
  id: number;
  bytes: number;
}

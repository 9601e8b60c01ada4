import { sql, type Transaction } from 'kysely';
import { inList } from '../storage/in-list.ts';
import type { Schema } from '../storage/schema.ts';

/** So many a point may have, with the one that is shown. */
export const mostLinesAtAPoint = 20;
/** So many of a conversation may be put away, and so much may they take in bytes. */
const mostLines = 100;
const mostBytes = 16_000_000;

/**
 * Deletes the lines for which there is no room, those first that were put away first, each with what it is
 * made of. Answers whether there were any.
 */
export async function pruneBranches(write: Transaction<Schema>, id: string): Promise<boolean> {
  const lines = await linesIn(write, id);
  const dropped = new Set<string>();
  const atPoint = new Map<string, number>();
  let left = { count: 0, bytes: 0 };
  // The newest stay.
  for (const line of lines) {
    const point = `${line.conversation_id} ${line.position}`;
    const there = (atPoint.get(point) ?? 0) + 1;
    const now = { count: left.count + 1, bytes: left.bytes + line.bytes };
    if (there >= mostLinesAtAPoint || now.count > mostLines || now.bytes > mostBytes) {
      dropped.add(line.id);
    } else {
      atPoint.set(point, there);
      left = now;
    }
  }
  const within = lines.filter((line) => isIn(line, lines, dropped));
  await write
    .deleteFrom('conversations')
    .where('id', 'in', inList(within.map((line) => line.id)))
    .execute();
  return dropped.size > 0;
}

type Line = Schema['lines'];

/** Of a conversation, and of its lines; what was put away last comes first. */
async function linesIn(write: Transaction<Schema>, id: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with recursive own as (
      select * from lines where conversation_id = ${id}
      union all
      select lines.* from lines join own on lines.conversation_id = own.id
    )
    select * from own order by created_at desc, id`.execute(write);
  return rows;
}

/** Whether it is dropped, or is a part of one that is. */
function isIn(line: Line, lines: readonly Line[], dropped: ReadonlySet<string>): boolean {
  const whole = lines.find(({ id }) => id === line.conversation_id);
  return dropped.has(line.id) || (whole !== undefined && isIn(whole, lines, dropped));
}

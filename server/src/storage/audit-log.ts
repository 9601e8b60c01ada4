import { randomBytes } from 'node:crypto';
import { type AuditEntry, severalTargets } from '@knowhow/shared/config/admin';
import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';
import { type Selectable, sql } from 'kysely';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

/** Who did what to which thing, when, and how it was before and after. */
export interface AuditLog {
  /** Resolves when it is on the disk. `before` and `after` are kept as JSON. */
  record(change: AuditedChange): Promise<void>;
  /** The newest first; fewer than asked for where they are large. What is recorded meanwhile moves no page. */
  list(query: AuditQuery): Promise<AuditPage>;
  /** Forgets all of a kind but so many. */
  keepNewest(kind: AuditEntry['kind'], count: number): Promise<void>;
}

export type AuditedChange = Omit<AuditEntry, 'id' | 'at' | 'userId' | 'userName'> & {
  by: { id: string; name: string };
};

export type AuditQuery = PageQuery & {
  kind?: AuditEntry['kind'] | undefined;
  /** Also among several. */
  target?: string | undefined;
  query?: string | undefined;
  user?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export interface AuditPage {
  items: AuditEntry[];
  total: number;
  nextCursor?: string;
}

type Row = Selectable<Schema['audit']>;

const rowsAtOnce = 10;
/** Characters of what was before and after in one page: what was done to thousands of skills names them all. */
const maxPageLength = 1_000_000;

export function createAuditLog(database: Database): AuditLog {
  const ids = idsInOrder();
  return {
    keepNewest: (kind, count) => keepNewest(database, kind, count),
    record: async ({ by, action, kind, target, before, after }) => {
      const who = { user_id: by.id, user_name: by.name };
      const what = { action, kind, target, before: jsonOf(before), after: jsonOf(after) };
      const id = ids.next();
      const newest = await database
        .selectFrom('audit')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      await database
        .insertInto('audit')
        .values({
          id: newest && ids.isLater(newest.id) ? ids.next(newest.id) : id,
          at: new Date().toISOString(),
          ...who,
          ...what,
        })
        .execute();
    },
    list: async ({ limit, cursor, ...query }) => {
      const matching = entriesOf(database, query);
      const { total } = await matching
        .select(({ fn }) => fn.countAll<number | string | bigint>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await readPage(matching, {
        limit,
        before: cursor === undefined ? undefined : checked(cursor),
      });
      const items = rows.slice(0, countFitting(rows, limit)).map(entryOf);
      const last = items.at(-1);
      return {
        items,
        total: Number(total),
        ...(rows.length > items.length && last ? { nextCursor: last.id } : {}),
      };
    },
  };
}

function entriesOf(
  database: Database,
  { kind, target, query = '', user, from, to }: Omit<AuditQuery, keyof PageQuery>,
) {
  let entries = database.selectFrom('audit');
  entries = kind === undefined ? entries : entries.where('kind', '=', kind);
  entries = user === undefined ? entries : entries.where('user_id', '=', user);
  entries = from === undefined ? entries : entries.where('at', '>=', timeOf(from));
  entries = to === undefined ? entries : entries.where('at', '<', timeOf(to));
  if (target !== undefined) {
    const isAmong = sql<boolean>`target = ${severalTargets}
      and after like ${containing(JSON.stringify(target))} escape '\\'`;
    entries = entries.where((where) => where.or([where('target', '=', target), isAmong]));
  }
  for (const word of query.split(/\s+/).filter((each) => each !== '')) {
    const text = sql`target || ' ' || user_name || ' ' || action ||
      case target when ${severalTargets} then after else '' end`;
    entries = entries.where(
      sql<boolean>`lower(${text}) like lower(${containing(word)}) escape '\\'`,
    );
  }
  return entries;
}

/** The newest rows: one more than fit on the page, if there are so many. A few at a time, as they can be large. */
async function readPage(
  matching: ReturnType<typeof entriesOf>,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Row[]> {
  const rows: Row[] = [];
  let last = before;
  for (;;) {
    const older = last === undefined ? matching : matching.where('id', '<', last);
    const found = await older.selectAll().orderBy('id', 'desc').limit(rowsAtOnce).execute();
    rows.push(...found);
    last = found.at(-1)?.id;
    if (found.length < rowsAtOnce || countFitting(rows, limit) < rows.length) {
      return rows;
    }
  }
}

/** How many of these a page takes: one in any case. */
function countFitting(rows: readonly Row[], limit: number): number {
  let length = 0;
  const over = rows.findIndex(({ before, after }, index) => {
    length += (before?.length ?? 0) + (after?.length ?? 0);
    return index > 0 && length > maxPageLength;
  });
  return Math.min(limit, over < 0 ? rows.length : over);
}

/** As times are stored. */
function timeOf(iso: string): string {
  return new Date(iso).toISOString();
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

async function keepNewest(
  database: Database,
  kind: AuditEntry['kind'],
  count: number,
): Promise<void> {
  const oldest = await database
    .selectFrom('audit')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst();
  if (oldest) {
    await database
      .deleteFrom('audit')
      .where('kind', '=', kind)
      .where('id', '<=', oldest.id)
      .execute();
  }
}

/** The first digits of an id: milliseconds, then what was recorded before within the same one. */
const orderDigits = 16;

/**
 * Ids in the order of recording, and mostly of time: also within a millisecond, when the clock is set
 * back, and after a restart. None comes twice, also on several servers.
 */
function idsInOrder() {
  let last = 0n;
  const orderOf = (id: string) => BigInt(`0x${id.slice(0, orderDigits)}`);
  return {
    /** Whether it comes after all that were given here. */
    isLater: (id: string) => orderOf(id) > last,
    /** @param newest one that it is to come after */
    next: (newest?: string) => {
      const known = newest === undefined ? 0n : orderOf(newest);
      const now = BigInt(Date.now()) << 16n;
      last = [now, last + 1n, known + 1n].reduce((one, other) => (one > other ? one : other));
      return last.toString(16).padStart(orderDigits, '0') + randomBytes(8).toString('hex');
    },
  };
}

function checked(cursor: string): string {
  if (!/^[0-9a-f]{32}$/.test(cursor)) {
    throw problem('invalid-request', 'The cursor is not one of ours. Begin without it.', {
      issues: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
    });
  }
  return cursor;
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function entryOf({ user_id, user_name, before, after, ...row }: Row): AuditEntry {
  return {
    ...row,
    userId: user_id,
    userName: user_name,
    ...(before === null ? {} : { before: JSON.parse(before) as unknown }),
    ...(after === null ? {} : { after: JSON.parse(after) as unknown }),
  };
}

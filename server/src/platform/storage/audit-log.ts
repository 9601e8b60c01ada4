import { randomBytes } from 'node:crypto';
import { type AuditEntry, severalTargets } from '@knowhow/shared/config/admin';
import type { PageQuery } from '@knowhow/shared/list';
import { type Selectable, sql } from 'kysely';
import { invalidCursor } from '../lib/cursors.ts';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

/** Records who changed what and when, with the state before and after. */
export interface AuditLog {
  /** Resolves when the entries are durable. `before` and `after` are stored as JSON. */
  record(...changes: AuditedChange[]): Promise<void>;
  /** One entry; undefined if there is none, or no longer. */
  get(id: string): Promise<AuditEntry | undefined>;
  /** Newest first; fewer than `limit` if entries are large. New entries do not shift pages. */
  list(query: AuditQuery): Promise<AuditPage>;
  /** Deletes all but the newest `count` entries of a kind. */
  keepNewest(kind: AuditEntry['kind'], count: number): Promise<void>;
}

export type AuditedChange = Omit<AuditEntry, 'id' | 'at' | 'userId' | 'userName'> & {
  by: { id: string; name: string };
};

export type AuditQuery = PageQuery & {
  kind?: AuditEntry['kind'] | undefined;
  /** Also matches entries about several targets. */
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

const batchSize = 10;
/**
 * Maximum characters of `before` and `after` per page: a bulk change may name thousands of skills.
 */
const maxPageLength = 1_000_000;

export function createAuditLog(database: Database): AuditLog {
  const ids = idsInOrder();
  return {
    keepNewest: (kind, count) => keepNewest(database, kind, count),
    get: async (id) => {
      const row = await database
        .selectFrom('audit')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && entryOf(row);
    },
    record: async (...changes) => {
      // In the order of the calls.
      const own = changes.map(() => ids.next());
      const newest = await database
        .selectFrom('audit')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      const isBehind = newest && ids.isLater(newest.id);
      const at = new Date().toISOString();
      const rows = changes.map((change, index) => ({
        id: isBehind ? ids.next(newest.id) : (own[index] ?? ids.next()),
        at,
        ...rowOf(change),
      }));
      if (rows.length > 0) {
        await database.insertInto('audit').values(rows).execute();
      }
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

/**
 * The newest rows: one more than fits on the page, if available. Read in small batches, because
 * rows can be large.
 */
async function readPage(
  matching: ReturnType<typeof entriesOf>,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Row[]> {
  const rows: Row[] = [];
  let last = before;
  for (;;) {
    const older = last === undefined ? matching : matching.where('id', '<', last);
    const found = await older.selectAll().orderBy('id', 'desc').limit(batchSize).execute();
    rows.push(...found);
    last = found.at(-1)?.id;
    if (found.length < batchSize || countFitting(rows, limit) < rows.length) {
      return rows;
    }
  }
}

/** How many of these rows fit on a page: at least one. */
function countFitting(rows: readonly Row[], limit: number): number {
  let length = 0;
  const over = rows.findIndex(({ before, after }, index) => {
    length += (before?.length ?? 0) + (after?.length ?? 0);
    return index > 0 && length > maxPageLength;
  });
  return Math.min(limit, over < 0 ? rows.length : over);
}

/** In the stored format. */
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

/** The leading digits of an id: milliseconds, then a counter within the millisecond. */
const orderDigits = 16;

/**
 * Generates unique ids that sort by time of recording. They stay in order within a millisecond,
 * after a restart and when the clock is set back, and are unique across servers.
 */
function idsInOrder() {
  let last = 0n;
  const orderOf = (id: string) => BigInt(`0x${id.slice(0, orderDigits)}`);
  return {
    /** Whether an id sorts after all generated ones. */
    isLater: (id: string) => orderOf(id) > last,
    /** @param newest an id that the new one must sort after */
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
    throw invalidCursor();
  }
  return cursor;
}

function rowOf({ by, action, kind, target, before, after }: AuditedChange) {
  const user = { user_id: by.id, user_name: by.name };
  return { ...user, action, kind, target, before: jsonOf(before), after: jsonOf(after) };
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

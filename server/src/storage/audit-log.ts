import { randomBytes } from 'node:crypto';
import type { AuditEntry } from '@knowhow/shared/admin';
import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

/** Who did what to which thing, when, and how it was before and after. */
export interface AuditLog {
  /** Resolves when it is on the disk. `before` and `after` are kept as JSON. */
  record(change: AuditedChange): Promise<void>;
  /** The newest first. What is recorded meanwhile moves no page. */
  list(query: AuditQuery): Promise<AuditPage>;
}

export type AuditedChange = Omit<AuditEntry, 'id' | 'at' | 'userId' | 'userName'> & {
  by: { id: string; name: string };
};

export type AuditQuery = PageQuery & {
  kind?: AuditEntry['kind'] | undefined;
  target?: string | undefined;
};

export interface AuditPage {
  items: AuditEntry[];
  total: number;
  nextCursor?: string;
}

export function createAuditLog(database: Database): AuditLog {
  const nextId = idsInOrder();
  return {
    record: async ({ by, action, kind, target, before, after }) => {
      const who = { user_id: by.id, user_name: by.name };
      const what = { action, kind, target, before: jsonOf(before), after: jsonOf(after) };
      await database
        .insertInto('audit')
        .values({ ...nextId(), ...who, ...what })
        .execute();
    },
    list: async ({ kind, target, limit, cursor }) => {
      let matching = database.selectFrom('audit');
      matching = kind === undefined ? matching : matching.where('kind', '=', kind);
      matching = target === undefined ? matching : matching.where('target', '=', target);
      const { total } = await matching
        .select(({ fn }) => fn.countAll<number | string | bigint>().as('total'))
        .executeTakeFirstOrThrow();
      const page = cursor === undefined ? matching : matching.where('id', '<', checked(cursor));
      const rows = await page
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const items = rows.slice(0, limit).map(entryOf);
      const last = items.at(-1);
      return {
        items,
        total: Number(total),
        ...(rows.length > limit && last ? { nextCursor: last.id } : {}),
      };
    },
  };
}

/** Ids that sort by time, also within a millisecond, and never come twice, also on several servers. */
function idsInOrder(): () => { id: string; at: string } {
  let last = 0;
  let sequence = 0;
  return () => {
    const now = Math.max(Date.now(), last);
    sequence = now === last ? sequence + 1 : 0;
    last = now;
    const parts = [now.toString(16).padStart(12, '0'), sequence.toString(16).padStart(4, '0')];
    return {
      id: [...parts, randomBytes(8).toString('hex')].join(''),
      at: new Date(now).toISOString(),
    };
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

function entryOf({ user_id, user_name, before, after, ...row }: Schema['audit']): AuditEntry {
  return {
    ...row,
    userId: user_id,
    userName: user_name,
    ...(before === null ? {} : { before: JSON.parse(before) as unknown }),
    ...(after === null ? {} : { after: JSON.parse(after) as unknown }),
  };
}

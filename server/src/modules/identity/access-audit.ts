import type { DeniedRequest } from '../../platform/http/denied-request.ts';
import { ignore } from '../../platform/lib/ignore.ts';
import type { AuditedChange, AuditLog } from '../../platform/storage/audit-log.ts';

/** A successful read that the audit log names, such as an export. */
export type AuditedRead = Pick<AuditedChange, 'by' | 'action' | 'kind' | 'target' | 'after'>;

/** Records who was denied access, and who read personal data (OWASP ASVS 5.0, 16.3.2 and 16.3.3). */
export interface AccessAudit {
  /** Resolves when the entry is stored, or counted. Bounded, see `limits`. */
  denied(request: DeniedRequest): Promise<void>;
  /** Records a read once per period and reader, however often a page repeats it. */
  read(read: AuditedRead): Promise<void>;
  /** Writes the counts of the current period. */
  flush(): Promise<void>;
}

const limits = {
  /** Milliseconds after which the counted denials are written as one entry. */
  periodMs: 5 * 60_000,
  /** Entries of one user or address in a period; further denials are counted. */
  entriesEach: 5,
  /** Entries of all together in a period. */
  entries: 100,
  /** Users and addresses that are counted apart in a period; all others share one count. */
  counted: 50,
  /** Reads that are remembered in a period. */
  reads: 1000,
  /** Entries of denials that the log keeps. */
  kept: 20_000,
};

interface Count {
  by: AuditedChange['by'];
  address: string;
  entries: number;
  more: number;
  reasons: Map<string, number>;
}

/**
 * Records the first denials of a user or anonymous address as separate entries, and counts the rest
 * of the period in one entry. The bounds apply per node; the number of retained entries applies to
 * the database.
 */
export function createAccessAudit(audit: AuditLog): AccessAudit {
  let counts = new Map<string, Count>();
  let reads = new Set<string>();
  let entries = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const ended = [...counts.values()].filter(({ more }) => more > 0);
    counts = new Map();
    reads = new Set();
    entries = 0;
    for (const { by, address, more, reasons } of ended) {
      const after = { address, attempts: more, reasons: Object.fromEntries(reasons) };
      await audit.record({ by, action: 'access-denied-more', kind: 'access', target: '*', after });
    }
    await audit.keepNewest('access', limits.kept);
  };
  const countOf = ({ user, address }: DeniedRequest): Count => {
    const by = user ?? { id: `address:${address}`, name: address };
    const known = counts.get(by.id);
    if (known) {
      return known;
    }
    const isFull = counts.size >= limits.counted;
    const who = isFull ? everyoneElse : { by, address };
    const count = counts.get(who.by.id) ?? { ...who, entries: 0, more: 0, reasons: new Map() };
    counts.set(who.by.id, count);
    return count;
  };
  const begin = () => {
    // The audit log itself reports a failed write.
    timer ??= setTimeout(() => {
      flush().catch(ignore);
    }, limits.periodMs).unref();
  };
  return {
    denied: async (request) => {
      begin();
      const count = countOf(request);
      if (count.entries >= limits.entriesEach || entries >= limits.entries) {
        count.more += 1;
        count.reasons.set(request.reason, (count.reasons.get(request.reason) ?? 0) + 1);
        return;
      }
      count.entries += 1;
      entries += 1;
      await audit.record(entryOf(request));
    },
    read: async (read) => {
      begin();
      const key = JSON.stringify([read.by.id, read.action, read.kind, read.target]);
      if (reads.has(key)) {
        return;
      }
      if (reads.size < limits.reads) {
        reads.add(key);
      }
      await audit.record(read);
    },
    flush,
  };
}

const everyoneElse = { by: { id: 'address:*', name: '*' }, address: '*' };

function entryOf({ user, address, method, route, reason }: DeniedRequest): AuditedChange {
  return {
    by: user ?? { id: `address:${address}`, name: address },
    action: 'access-denied',
    kind: 'access',
    target: route === undefined ? method : `${method} ${route}`,
    after: { address, reason },
  };
}

import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import type { Cluster, Slot, Slots } from '../cluster.ts';
import { isExpiredLease } from './dead-nodes.ts';

const unlimited: Slot = { release: async () => undefined };
/** Attempts: if two callers find the same slot free, one of them retries. */
const maxAttempts = 3;

interface LeaseOptions {
  database: Database;
  lease: Cluster['lease'];
  leaseMs: number;
}

/** A slot is a numbered lease, so it is released if its node dies. */
export function postgresSlots({ database, lease, leaseMs }: LeaseOptions, name: string): Slots {
  return {
    take: async (key, most) => {
      if (!Number.isFinite(most)) {
        return unlimited;
      }
      const prefix = `slot ${name} ${key} `;
      for (let remaining = maxAttempts; remaining > 0; remaining -= 1) {
        const free = await findFree(database, { prefix, most, leaseMs });
        const taken = free === undefined ? undefined : await lease(free, {});
        if (taken || free === undefined) {
          return taken;
        }
      }
      return undefined;
    },
  };
}

async function findFree(
  database: Database,
  { prefix, most, leaseMs }: { prefix: string; most: number; leaseMs: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select ${prefix} || number as name from generate_series(1, ${most}::bigint) number
    where not exists (
      select 1 from leases where name = ${prefix} || number and not ${isExpiredLease(leaseMs)}
    ) and (
      select count(*) from leases where starts_with(name, ${prefix}) and not ${isExpiredLease(leaseMs)}
    ) < ${most}::bigint order by random() limit 1`.execute(database);
  return rows[0]?.name;
}

import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import type { Cluster, Slot, Slots } from '../cluster.ts';
import { isOver } from './dead-nodes.ts';

const unlimited: Slot = { release: async () => undefined };
/** Of two who find the same one free, one looks again. */
const looks = 3;

interface Leasing {
  database: Database;
  lease: Cluster['lease'];
  leaseMs: number;
}

/** A slot is a lease with a number, and so goes with the node that has it. */
export function postgresSlots({ database, lease, leaseMs }: Leasing, name: string): Slots {
  return {
    take: async (key, most) => {
      if (!Number.isFinite(most)) {
        return unlimited;
      }
      const prefix = `slot ${name} ${key} `;
      for (let left = looks; left > 0; left -= 1) {
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
      select 1 from leases where name = ${prefix} || number and not ${isOver(leaseMs)}
    ) and (
      select count(*) from leases where starts_with(name, ${prefix}) and not ${isOver(leaseMs)}
    ) < ${most}::bigint order by random() limit 1`.execute(database);
  return rows[0]?.name;
}

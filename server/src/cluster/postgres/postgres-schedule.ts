import { Cron } from 'croner';
import { sql } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Cluster } from '../cluster.ts';
import { now } from './database-clock.ts';

interface Scheduling {
  database: Database;
  lease: Cluster['lease'];
  log: Log;
}

/**
 * Each node knows when it is time; whoever takes the lease then does the work, unless another has begun it less than half
 * of the time ago that is between two runs: clocks differ.
 */
export function postgresSchedule({ database, lease, log }: Scheduling): Cluster['oneNode'] {
  return (name, cron, work) => {
    const runWhenFree = async (leastMs: number) => {
      const held = await lease(name, {});
      if (held) {
        try {
          await ((await begins(database, name, leastMs)) && work(held.lost));
        } finally {
          await held.release();
        }
      }
    };
    const job: Cron = new Cron(cron, { protect: true }, () =>
      runWhenFree(leastPause(job)).catch((error: unknown) =>
        log.warn({ error, schedule: name }, 'scheduled work was not done'),
      ),
    );
    return { nextRun: () => job.nextRun() ?? undefined, stop: () => job.stop() };
  };
}

/** Half of what is between the next two runs, in milliseconds. */
function leastPause(job: Cron): number {
  const [one, other] = job.nextRuns(2);
  return one && other ? (other.getTime() - one.getTime()) / 2 : 0;
}

async function begins(database: Database, name: string, leastMs: number): Promise<boolean> {
  const row = await database
    .insertInto('schedules')
    .values({ name, began: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ began: now })
        .where('schedules.began', '<=', sql<number>`${now} - ${Math.round(leastMs)}::bigint`),
    )
    .returning('began')
    .executeTakeFirst();
  return row !== undefined;
}

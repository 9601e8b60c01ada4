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
 * Leader election for scheduled work: each node runs the timer, and the one that gets the lease does the work. It is skipped if another node started it
 * less than half an interval ago, because clocks differ.
 */
export function postgresSchedule({ database, lease, log }: Scheduling): Cluster['oneNode'] {
  return (name, cron, work) => {
    const runWhenFree = async (minMs: number) => {
      const held = await lease(name, {});
      if (held) {
        try {
          await ((await tryStart(database, name, minMs)) && work(held.lost));
        } finally {
          await held.release();
        }
      }
    };
    const job: Cron = new Cron(cron, { protect: true }, () =>
      runWhenFree(minInterval(job)).catch((error: unknown) =>
        log.warn({ error, schedule: name }, 'scheduled work failed'),
      ),
    );
    return { nextRun: () => job.nextRun() ?? undefined, stop: () => job.stop() };
  };
}

/** Half of the interval between the next two runs, in milliseconds. */
function minInterval(job: Cron): number {
  const [one, other] = job.nextRuns(2);
  return one && other ? (other.getTime() - one.getTime()) / 2 : 0;
}

async function tryStart(database: Database, name: string, minMs: number): Promise<boolean> {
  const row = await database
    .insertInto('schedules')
    .values({ name, began: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ began: now })
        .where('schedules.began', '<=', sql<number>`${now} - ${Math.round(minMs)}::bigint`),
    )
    .returning('began')
    .executeTakeFirst();
  return row !== undefined;
}

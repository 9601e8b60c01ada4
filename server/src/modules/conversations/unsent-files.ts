import type { Cluster, Scheduled } from '../../platform/cluster/cluster.ts';
import { daysAgo } from '../../platform/lib/days-ago.ts';
import type { Log } from '../../platform/lib/log.ts';
import type { Database } from '../../platform/storage/open-database.ts';

interface Scheduling {
  cluster: Cluster;
  database: Database;
  log: Log;
}

/** Cron expression for Croner. */
const everyHour = '17 * * * *';
const name = 'files that were not sent';

/** Deletes uploads that were not sent within a day, at startup and once an hour. */
export async function scheduleUnsent({ cluster, database, log }: Scheduling): Promise<Scheduled> {
  const remove = async () => {
    try {
      await database
        .deleteFrom('files')
        .where('message_id', 'is', null)
        .where('created_at', '<', new Date(daysAgo(1)).toISOString())
        .execute();
    } catch (error) {
      log.error({ error }, 'unsent files could not be deleted');
    }
  };
  await cluster.atStart(name, remove);
  return cluster.oneNode(name, everyHour, remove);
}

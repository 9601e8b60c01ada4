import type { Cluster, Scheduled } from '../cluster/cluster.ts';
import { daysAgo } from '../lib/days-ago.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/open-database.ts';

interface Scheduling {
  cluster: Cluster;
  database: Database;
  log: Log;
}

/** As Croner takes it. */
const everyHour = '17 * * * *';
const name = 'files that were not sent';

/** Removes uploaded files that nobody has sent for a day, now and once an hour. */
export async function scheduleUnsent({ cluster, database, log }: Scheduling): Promise<Scheduled> {
  const remove = async () => {
    try {
      await database
        .deleteFrom('files')
        .where('message_id', 'is', null)
        .where('created_at', '<', new Date(daysAgo(1)).toISOString())
        .execute();
    } catch (error) {
      log.error({ error }, 'files that were not sent could not be removed');
    }
  };
  await cluster.atStart(name, remove);
  return cluster.oneNode(name, everyHour, remove);
}

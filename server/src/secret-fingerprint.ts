import { createHmac } from 'node:crypto';
import { StartupError } from './open-skills.ts';
import type { Database } from './platform/storage/open-database.ts';

const name = 'fingerprint of the secret key';

/**
 * Rejects a `SECRET_KEY` that differs from that of running nodes, since neither could decrypt the
 * other's data. A single node may change it.
 */
export async function checkSecretKey(
  database: Database,
  key: Buffer | undefined,
  { isAlone }: { isAlone: boolean },
): Promise<void> {
  if (!key) {
    throw new StartupError(
      'SECRET_KEY is missing. The configuration is in the database, so that several servers may run on it, and all of them need the same key: openssl rand -base64 32 makes one. If this one has run before, its key is in DATA_DIR, in secret.key.',
    );
  }
  const value = createHmac('sha256', key).update(name).digest('base64');
  if (isAlone) {
    await database
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    return;
  }
  const known = await database
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  if (known?.value !== value) {
    throw new StartupError(
      'SECRET_KEY is wrong: it is not that of the servers that run on this database. Give each the same one.',
    );
  }
}

import { recoverRestore } from './backup/recover-restore.ts';
import type { Cluster } from './cluster/cluster.ts';
import { allowVariables } from './content/allowed-variables.ts';
import { undoCommit } from './content/commit-files.ts';
import { type ContentStore, openContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { removeTemporaries } from './lib/write-file-atomic.ts';
import { openProviderKeys, type ProviderKeys } from './models/provider-keys.ts';
import { secretKey } from './secret-key.ts';
import { sessionSecret } from './session-secret.ts';
import { type Database, openDatabase } from './storage/open-database.ts';

interface OpenStores {
  content: ContentStore;
  database: Database;
  secret: Buffer;
  key: Buffer;
  providerKeys: ProviderKeys;
}

/** Opens what is kept, after what a crash has left is put away. */
export async function openStores(
  environment: Environment,
  { cluster, log }: { cluster: Cluster; log: Log },
): Promise<OpenStores> {
  const { contentsDirectory, dataDirectory, variables, secretKey: given } = environment;
  const database = await openDatabase(environment);
  await recoverRestore({ database, contentsDirectory, dataDirectory });
  await undoCommit({ directory: contentsDirectory, dataDirectory });
  const content = await openContentStore(contentsDirectory, allowVariables(variables));
  await Promise.all([dataDirectory, ...content.folders].map(removeTemporaries)).catch(
    (error: unknown) => log.warn({ error }, 'unfinished files could not be removed'),
  );
  const secret = await cluster.atStart('sessions', () => sessionSecret(database, dataDirectory));
  const key = await cluster.atStart('secret key', () => secretKey(given, dataDirectory));
  const providerKeys = await openProviderKeys({ environment, database, cluster, key });
  return { content, database, secret, key, providerKeys };
}

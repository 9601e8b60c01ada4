import { recoverRestore } from './backup/recover-restore.ts';
import { checkFolders } from './check-folders.ts';
import type { Cluster } from './cluster/cluster.ts';
import { createLocalCluster } from './cluster/local-cluster.ts';
import { openPostgresCluster } from './cluster/postgres/postgres-cluster.ts';
import { allowVariables } from './content/allowed-variables.ts';
import { undoCommit } from './content/commit-files.ts';
import { type ContentStore, openContentStore } from './content/content-store.ts';
import { readGeneration } from './content/shared/content-rows.ts';
import { openSharedContents, type SharedContents } from './content/shared/shared-contents.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { removeTemporaries } from './lib/write-file-atomic.ts';
import { openProviderKeys, type ProviderKeys } from './models/provider-keys.ts';
import { checkSecretKey } from './secret-fingerprint.ts';
import { secretKey } from './secret-key.ts';
import { sessionSecret } from './session-secret.ts';
import type { InstallationLock } from './storage/lock-installation.ts';
import { type Database, openDatabase } from './storage/open-database.ts';

/** What is kept, and with whom it is shared. */
export interface OpenStores {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  /** Signs sessions. */
  secret: Buffer;
  /** Encrypts what is stored. */
  key: Buffer;
  providerKeys: ProviderKeys;
  /** Undefined where `contents/` is a folder of this process alone. */
  shared: SharedContents | undefined;
  /** Runs what writes files of `contents/`. */
  writeFiles: SharedContents['write'];
  /** To be called when skills have changed. */
  onSkills(): void;
  close(): Promise<void>;
}

interface Dependencies {
  lock: InstallationLock;
  /** In place of the one that fits. */
  cluster?: Cluster | undefined;
  log: Log;
  /** Of the application. */
  version: string;
}

/**
 * Opens what is kept, after what a crash has left is put away. Where the configuration is in the database, others may run
 * beside this process from then on.
 */
export async function openStores(
  environment: Environment,
  { lock, log, version, cluster: given }: Dependencies,
): Promise<OpenStores> {
  const { contentsDirectory: directory, dataDirectory, variables } = environment;
  const database = await openDatabase(environment);
  const isShared = (await readGeneration(database)) !== undefined;
  const joined = isShared ? await join(environment, { database, lock, log, version }) : undefined;
  const cluster = given ?? joined ?? createLocalCluster();
  await recoverRestore({ database, contentsDirectory: directory, dataDirectory });
  await undoCommit({ directory, dataDirectory });
  const shared = isShared
    ? await openSharedContents({ directory, database, cluster, log })
    : undefined;
  if (environment.databaseUrl !== undefined) {
    checkFolders(environment);
  }
  const content = await openContentStore(directory, allowVariables(variables));
  await Promise.all([dataDirectory, ...content.folders].map(removeTemporaries)).catch(
    (error: unknown) => log.warn({ error }, 'unfinished files could not be removed'),
  );
  const secret = await cluster.atStart('sessions', () => sessionSecret(database, dataDirectory));
  const key = await secretKey(environment.secretKey, dataDirectory);
  const providerKeys = await openProviderKeys({ environment, database, cluster, key });
  const close = async () => {
    await shared?.close();
    await joined?.close();
    await database.destroy();
  };
  const writeFiles: SharedContents['write'] = shared?.write ?? ((work) => work());
  const onSkills = () => void shared?.check();
  const opened = { cluster, content, database, secret, key, providerKeys };
  return { ...opened, shared, writeFiles, onSkills, close };
}

interface Joining extends Omit<Dependencies, 'cluster'> {
  database: Database;
}

/** Becomes one of the nodes on this database. */
async function join(
  { secretKey: given, databaseUrl: url = '' }: Environment,
  { database, lock, log, version }: Joining,
) {
  await checkSecretKey(database, given, lock);
  await lock.share();
  return openPostgresCluster({ database, url, version, log });
}

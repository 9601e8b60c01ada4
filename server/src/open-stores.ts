import { createHmac } from 'node:crypto';
import { checkFolders } from './check-folders.ts';
import type { Environment } from './env.ts';
import {
  allowVariables,
  type ContentStore,
  openContentStore,
  openSharedContents,
  readGeneration,
  rollBackCommit,
  type SharedContents,
} from './modules/content/index.ts';
import { openProviderKeys, type ProviderKeys } from './modules/models/index.ts';
import { recoverRestore } from './modules/operations/index.ts';
import { StartupError } from './open-skills.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { createLocalCluster } from './platform/cluster/local-cluster.ts';
import { forgetNodes } from './platform/cluster/postgres/dead-nodes.ts';
import {
  openPostgresCluster,
  type PostgresCluster,
} from './platform/cluster/postgres/postgres-cluster.ts';
import { ignore } from './platform/lib/ignore.ts';
import type { Log } from './platform/lib/log.ts';
import { removeTemporaries } from './platform/lib/write-file-atomic.ts';
import type { InstallationLock } from './platform/storage/lock-installation.ts';
import { logQueries } from './platform/storage/log-queries.ts';
import { type Database, openDatabase } from './platform/storage/open-database.ts';
import { secretKey } from './secret-key.ts';
import { sessionSecret } from './session-secret.ts';
import { tables } from './tables.ts';

/** Persistent stores, and the cluster that shares them. */
export interface OpenStores {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  /** Signs sessions. */
  secret: Buffer;
  /** Encrypts stored secrets. */
  key: Buffer;
  providerKeys: ProviderKeys;
  /** Undefined if `contents/` belongs to this process alone. */
  shared: SharedContents | undefined;
  /** Runs a write to `contents/`. */
  writeFiles: SharedContents['write'];
  /** Call after skills have changed. */
  onSkills(): void;
  close(): Promise<void>;
}

interface Dependencies {
  lock: InstallationLock;
  /** Overrides the default cluster. */
  cluster?: Cluster | undefined;
  log: Log;
  /** Application version. */
  version: string;
}

/**
 * Opens all stores after recovering from a crash. If the configuration is in the database, other
 * nodes may run as well from then on.
 */
export async function openStores(
  environment: Environment,
  { lock, log, version, cluster: given }: Dependencies,
): Promise<OpenStores> {
  const database = await openDatabase(
    environment,
    tables.migrations,
    log.isLevelEnabled('debug') ? logQueries(log) : undefined,
  );
  let joined: PostgresCluster | undefined;
  let shared: SharedContents | undefined;
  const close = async () => {
    await shared?.close();
    await joined?.close();
    await database.destroy();
  };
  try {
    const isShared = (await readGeneration(database)) !== undefined;
    joined = isShared ? await join(environment, { database, lock, log, version }) : undefined;
    const cluster = given ?? joined ?? createLocalCluster({ log });
    shared = await recoverContents(environment, { database, log, cluster, isShared });
    const opened = await openContent(environment, { database, log, cluster });
    const writeFiles: SharedContents['write'] = shared?.write ?? ((work) => work());
    const onSkills = () => {
      shared?.check().catch(ignore);
    };
    return { ...opened, cluster, database, shared, writeFiles, onSkills, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  database: Database;
  cluster: Cluster;
  log: Log;
}

/** Recovers from a crash, and updates `contents/` from the database if that holds it. */
async function recoverContents(
  environment: Environment,
  { isShared, ...parts }: Parts & { isShared: boolean },
): Promise<SharedContents | undefined> {
  const { contentsDirectory: directory, dataDirectory, databaseUrl } = environment;
  await recoverRestore({ ...parts, contentsDirectory: directory, dataDirectory });
  await rollBackCommit({ directory, dataDirectory });
  const shared = isShared ? await openSharedContents({ directory, ...parts }) : undefined;
  if (databaseUrl !== undefined) {
    checkFolders(environment);
  }
  return shared;
}

async function openContent(
  environment: Environment,
  { cluster, database, log }: Parts,
): Promise<Pick<OpenStores, 'content' | 'secret' | 'key' | 'providerKeys'>> {
  const { contentsDirectory, dataDirectory, variables, secretKey: given } = environment;
  const content = await openContentStore(contentsDirectory, allowVariables(variables));
  await Promise.all([dataDirectory, ...content.folders].map(removeTemporaries)).catch(
    (error: unknown) => log.warn({ error }, 'removing temporary files failed'),
  );
  const secret = await cluster.atStart('sessions', () => sessionSecret(database, dataDirectory));
  const key = await secretKey(given, dataDirectory);
  const providerKeys = await openProviderKeys({ environment, database, cluster, key });
  return { content, secret, key, providerKeys };
}

interface Joining extends Omit<Dependencies, 'cluster'> {
  database: Database;
}

/** Joins the cluster of this database. */
async function join(
  { secretKey: given, databaseUrl: url = '' }: Environment,
  { database, lock, log, version }: Joining,
): Promise<PostgresCluster> {
  await checkSecretKey(database, given, lock);
  if (lock.isAlone) {
    await forgetNodes(database);
  }
  await lock.share();
  return openPostgresCluster({ database, url, version, log });
}

const name = 'fingerprint of the secret key';

/**
 * Rejects a `SECRET_KEY` that differs from that of running nodes, since neither could decrypt the
 * other's data. A single node may change it.
 */
async function checkSecretKey(
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

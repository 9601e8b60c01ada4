import type { Cluster } from '../../platform/cluster/cluster.ts';
import { createSeal } from '../../platform/lib/seal.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { KeySources } from './model-key.ts';

/** API keys entered in the admin pages, encrypted in the database and never included in backups. */
export interface ProviderKeys {
  /** By environment variable. */
  current(): Readonly<Record<string, string>>;
  /** Entered keys merged with those of the environment, which take precedence. The same object until a key changes. */
  sources(): KeySources;
  /** Calls `listener` after each change, for the lifetime of the process. */
  onChange(listener: () => void): void;
  /** Lists who entered which key and when. Keys that cannot be decrypted are omitted. */
  list(): Promise<EnteredKey[]>;
  set(variable: string, key: string, by: string): Promise<void>;
  /** Returns whether it existed. */
  remove(variable: string): Promise<boolean>;
}

interface EnteredKey {
  variable: string;
  by: string;
  at: string;
}

interface Dependencies {
  environment: KeySources;
  database: Database;
  cluster: Cluster;
  /** 32 bytes. */
  key: Uint8Array;
}

const topic = 'provider keys';

export async function openProviderKeys({
  environment,
  database,
  cluster,
  key,
}: Dependencies): Promise<ProviderKeys> {
  const seal = createSeal(key, 'keys of providers');
  const read = async () => {
    const rows = await database.selectFrom('provider_keys').selectAll().execute();
    return rows.flatMap(({ variable, sealed, updated_by: by, updated_at: at }) => {
      const value = seal.open(sealed, variable);
      return value === undefined ? [] : [{ variable, value, by, at }];
    });
  };
  const load = async () =>
    Object.fromEntries((await read()).map(({ variable, value }) => [variable, value]));
  let current = await load();
  let sources = mergeKeys(environment, current);
  const listeners: (() => void)[] = [];
  const reload = async () => {
    current = await load();
    sources = mergeKeys(environment, current);
    for (const listener of listeners) {
      listener();
    }
  };
  // Changes on other nodes; if the database is unavailable, the next change triggers another reload.
  const reloadQuietly = () => {
    reload().catch(() => undefined);
  };
  cluster.subscribe(topic, reloadQuietly, reloadQuietly);
  const reloadAndPublish = async () => {
    await reload();
    await cluster.publish(topic, 'changed');
  };
  return {
    current: () => current,
    sources: () => sources,
    onChange: (listener) => {
      listeners.push(listener);
    },
    list: async () => (await read()).map(({ value: _value, ...entered }) => entered),
    set: async (variable, value, by) => {
      const row = {
        sealed: seal.seal(value, variable),
        updated_by: by,
        updated_at: new Date().toISOString(),
      };
      await database
        .insertInto('provider_keys')
        .values({ variable, ...row })
        .onConflict((conflict) => conflict.column('variable').doUpdateSet(row))
        .execute();
      await reloadAndPublish();
    },
    remove: async (variable) => {
      const { numDeletedRows } = await database
        .deleteFrom('provider_keys')
        .where('variable', '=', variable)
        .executeTakeFirst();
      await reloadAndPublish();
      return numDeletedRows > 0n;
    },
  };
}

function mergeKeys(
  { variables, modelHosts }: KeySources,
  entered: Readonly<Record<string, string>>,
): KeySources {
  const own = Object.entries(variables).filter(([, value]) => value);
  return { variables: { ...entered, ...Object.fromEntries(own) }, modelHosts };
}
